import type { ErrorSummary } from './event.ts';

const MAX_NAME_BYTES = 200;
const MAX_MESSAGE_BYTES = 4_096;
const MAX_STACK_BYTES = 8_192;

/**
 * An error as the history keeps it, whatever was thrown. Texts are cut, and hold nothing that a database could refuse: no
 * NUL, no half of a surrogate pair. Never throws.
 */
export function summariseError(error: unknown): ErrorSummary {
  const isObject = (typeof error === 'object' && error !== null) || typeof error === 'function';
  if (!isObject)
    return { name: typeof error, message: plainText(inWords(error), MAX_MESSAGE_BYTES) };
  const stack = textOf(error, 'stack');
  return {
    name: plainText(textOf(error, 'name') || 'Error', MAX_NAME_BYTES),
    message: plainText(textOf(error, 'message') ?? '', MAX_MESSAGE_BYTES),
    ...(stack && { stack: plainText(stack, MAX_STACK_BYTES) }),
  };
}

/** A text without NUL and lone surrogates, in at most so many bytes of UTF-8; a character is kept whole or not at all. */
export function plainText(text: string, maxBytes: number): string {
  // No character takes less than a byte.
  const clean = text.slice(0, maxBytes + 1).replace(/\0|\p{Surrogate}/gu, '');
  if (clean.length * 3 <= maxBytes) return clean;
  const bytes = Buffer.from(clean);
  if (bytes.length <= maxBytes) return clean;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function inWords(value: unknown): string {
  try {
    return String(value);
  } catch {
    return '';
  }
}

/** A getter, or a proxy, may throw. */
function textOf(error: object, name: string): string | undefined {
  try {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
