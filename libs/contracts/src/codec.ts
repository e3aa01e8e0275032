import { isUtf8 } from 'node:buffer';
import { MessageUnreadableError, PayloadInvalidError, PayloadTooLargeError } from './errors.ts';
import { dangerousKeyIn, unrepresentableIn } from './json-values.ts';
import type { PayloadDefinition } from './payload-definition.ts';

/** What codec needs to know of a job type. */
type Encodable = Pick<PayloadDefinition, 'type' | 'maxPayloadBytes'>;

/**
 * Encodes a payload as JSON, the whole body of a message.
 * What JSON would change without a word (NaN, Infinity, invalid dates, undefined in an array, Map, Set) is
 * refused, and so are `__proto__` keys; as in JSON, undefined properties and functions are left out and dates
 * become ISO strings.
 * @throws PayloadInvalidError naming the path of the value
 * @throws PayloadTooLargeError
 */
export function encodePayload(job: Encodable, payload: unknown): Buffer {
  const text = stringify(job.type, payload);
  // JSON turns what it cannot represent into null or {}: only then is a closer look needed.
  const problem =
    text.includes('null') || text.includes('{}') ? unrepresentableIn(payload) : undefined;
  const dangerous = mayHoldDangerousKey(text) ? dangerousKeyIn(payload) : undefined;
  const issue = problem ?? dangerous;
  if (issue) throw new PayloadInvalidError(job.type, [issue]);
  const body = Buffer.from(text);
  if (body.length > job.maxPayloadBytes) {
    throw new PayloadTooLargeError(job.type, body.length, job.maxPayloadBytes);
  }
  return body;
}

function stringify(jobType: string, payload: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(payload);
  } catch (error) {
    throw new PayloadInvalidError(jobType, [{ path: '', message: messageOf(error) }]);
  }
  if (text === undefined) {
    throw new PayloadInvalidError(jobType, [{ path: '', message: 'is not a JSON value' }]);
  }
  return text;
}

/**
 * Decodes a message body. `contentEncoding` other than none, `identity` or `utf-8` is not understood.
 * @throws MessageUnreadableError saying why
 */
export function decodePayload(body: Buffer, contentEncoding?: unknown): unknown {
  if (!isPlainEncoding(contentEncoding)) {
    throw new MessageUnreadableError(
      `content encoding ${JSON.stringify(String(contentEncoding).slice(0, 40))} is not supported`,
    );
  }
  if (body.length === 0) throw new MessageUnreadableError('the body is empty');
  // Decoding would replace bad bytes by U+FFFD and hand over other data than was sent.
  if (!isUtf8(body)) throw new MessageUnreadableError('the body is not UTF-8 text');
  const text = body.toString('utf8');
  const payload = parse(text);
  const dangerous = mayHoldDangerousKey(text) ? dangerousKeyIn(payload) : undefined;
  if (dangerous) throw new MessageUnreadableError(`${dangerous.path}: ${dangerous.message}`);
  return payload;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new MessageUnreadableError(`the body is not JSON: ${withoutQuote(messageOf(error))}`);
  }
}

/** V8 quotes the text around a mistake, but a payload must not get into logs: neither so nor as the cause. */
function withoutQuote(message: string): string {
  return message.replace(/, (\.\.\.)?".*$/s, '');
}

/** A payload's own `toJSON` may throw anything. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'its toJSON failed';
}

function isPlainEncoding(encoding: unknown): boolean {
  if (encoding === undefined || encoding === '') return true;
  return typeof encoding === 'string' && /^(utf-?8|identity)$/i.test(encoding);
}

/** Cheap and certain for the harmless: `__proto__` is spelt out, or one of its letters is escaped. */
function mayHoldDangerousKey(text: string): boolean {
  if (text.includes('__proto__')) return true;
  return text.includes('\\u00') && /\\u00(5f|70|72|6f|74)/i.test(text);
}
