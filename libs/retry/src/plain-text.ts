/** Control characters but newline and tab: they garble terminals, logs and consoles. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/** No text in a header needs to be looked at further than this. */
const MAX_CHARS = 16_384;

/** The beginning of a text as valid Unicode: control characters become `?`, lone surrogates U+FFFD. */
export function cleanText(text: string): string {
  const start = text.slice(0, MAX_CHARS).replaceAll('\r\n', '\n');
  return Buffer.from(start).toString('utf8').replace(CONTROL, '?');
}

/** The longest beginning of a text that takes at most `maxBytes` in UTF-8, cut between characters. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && isContinuation(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
