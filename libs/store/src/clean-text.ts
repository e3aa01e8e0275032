/** JavaScript text that PostgreSQL cannot hold: NUL, and halves of surrogate pairs. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Cheaper, and seldom true. */
const SUSPICIOUS = /[\0\ud800-\udfff]/;

/** The text without what the database cannot hold; anything else as text. */
export function cleanText(value: unknown): string {
  const text = typeof value === 'string' ? value : String(value);
  return SUSPICIOUS.test(text) ? text.replace(UNSTORABLE, '') : text;
}

/** As `cleanText`, and at most `maxBytes` of UTF-8, whole characters only. */
export function cutText(value: unknown, maxBytes: number): string {
  const text = cleanText(value);
  // One UTF-16 unit is at most three bytes.
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

/** Null for nothing, since JSON has no undefined. */
export function textOrNull(value: unknown, maxBytes: number): string | null {
  return value === undefined || value === null ? null : cutText(value, maxBytes);
}

/** A whole number that an SQL `bigint` or, with `max`, a smaller type holds; 0 for what is none. */
export function wholeNumber(value: unknown, max: number = Number.MAX_SAFE_INTEGER): number {
  const number = Math.trunc(Number(value));
  if (Number.isNaN(number)) return 0;
  return Math.min(Math.max(number, 0), max);
}
