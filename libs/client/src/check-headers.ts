import { HeaderInvalidError } from '@warren/contracts';

/** What a publisher may send along: kinds of values that every client can encode and read. */
export type PublishHeaders = Readonly<Record<string, string | number | boolean>>;

/** They route, address or count at the broker; a publisher's own copy would only confuse. */
const RESERVED = new Set([
  'cc',
  'bcc',
  '__proto__',
  'constructor',
  'prototype',
  'traceparent',
  'tracestate',
]);
const MAX_NAME_BYTES = 100;
const MAX_VALUE_BYTES = 1_024;
const MAX_HEADERS = 30;
/** UTF-8 has no form for half a surrogate pair: another character would arrive. */
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** @throws HeaderInvalidError naming the header */
export function checkHeaders(headers: PublishHeaders): void {
  if (!isTable(headers)) {
    throw new HeaderInvalidError('headers', 'expected an object with a value for each name');
  }
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) {
    throw new HeaderInvalidError('headers', `at most ${MAX_HEADERS}, got ${entries.length}`);
  }
  for (const [name, value] of entries) {
    const problem = problemOfName(name) ?? problemOfValue(value);
    if (problem) throw new HeaderInvalidError(name, problem);
  }
}

/** Can it be sent as it stands? */
export function isText(value: string): boolean {
  return !LONE_SURROGATE.test(value);
}

/** A list, a Map or fetch's Headers would be sent as something else than its owner means. */
function isTable(headers: unknown): boolean {
  return typeof headers === 'object' && headers !== null && !(Symbol.iterator in headers);
}

function problemOfName(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (lower.startsWith('x-')) return 'names that begin with x- are reserved';
  if (RESERVED.has(lower)) return 'is reserved';
  if (name.length === 0 || Buffer.byteLength(name) > MAX_NAME_BYTES) {
    return `its name must have 1 to ${MAX_NAME_BYTES} bytes`;
  }
  return isText(name) ? undefined : 'its name holds half a surrogate pair';
}

function problemOfValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return undefined;
    case 'number':
      return problemOfNumber(value);
    case 'string':
      if (!isText(value)) return 'its value holds half a surrogate pair';
      return Buffer.byteLength(value) <= MAX_VALUE_BYTES
        ? undefined
        : `its value is longer than ${MAX_VALUE_BYTES} bytes`;
    default:
      return `expected a string, number or boolean, got ${value === null ? 'null' : typeof value}`;
  }
}

/** The ranges are amqplib's: what lies beyond cannot be encoded, however finite it is. */
function problemOfNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'its number is not finite';
  if (Number.isInteger(value)) return value >= -(2 ** 63) ? undefined : 'its number is below -2^63';
  return Math.abs(value) < 2 ** 50 ? undefined : 'its number has a fraction and is beyond 2^50';
}
