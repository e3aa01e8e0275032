import { REDACTED } from '@warren/contracts';
import { redactUrlsIn } from './redact-url.ts';

const MAX_DEPTH = 6;
const MAX_ENTRIES = 100;

/** Names are compared in lower case without `-` and `_`, by their end: `AMQP_PASSWORD`, `accessToken`. */
const SECRET_NAME =
  /(?:password|passwd|passphrase|authorization|token|secret|cookie|apikey|privatekey|payload)s?$/;

/** Whether the value of a field of this name must never be logged. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.toLowerCase().replace(/[-_]/g, ''));
}

/**
 * A copy of `value` that can be logged: plain JSON values, secrets and payloads hidden, bounded in depth
 * and width. Never throws: what cannot be read is replaced by a word that says so.
 */
export function sanitise(value: unknown): unknown {
  return copy(value, []);
}

/** `ancestors` finds cycles; its length is the depth. */
function copy(value: unknown, ancestors: readonly object[]): unknown {
  if (typeof value === 'string') return redactUrlsIn(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'symbol' || typeof value === 'function') return `[${typeof value}]`;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= MAX_DEPTH) return '[too deep]';
  try {
    return copyObject(value, [...ancestors, value]);
  } catch {
    return '[unreadable]';
  }
}

function copyObject(value: object, ancestors: readonly object[]): unknown {
  if (value instanceof Error) return copyError(value, ancestors);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL) return redactUrlsIn(value.href);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return copyFields(Object.fromEntries(value), ancestors);
  if (value instanceof Set) return copyItems([...value], ancestors);
  if (Array.isArray(value)) return copyItems(value, ancestors);
  return copyFields(value, ancestors);
}

function copyItems(items: readonly unknown[], ancestors: readonly object[]): unknown[] {
  const copies = items.slice(0, MAX_ENTRIES).map((item) => copy(item, ancestors));
  if (items.length > MAX_ENTRIES) copies.push(`[${items.length - MAX_ENTRIES} more]`);
  return copies;
}

function copyFields(source: object, ancestors: readonly object[]): Record<string, unknown> {
  const names = Object.keys(source);
  const fields = names.slice(0, MAX_ENTRIES).map((name) => [name, field(source, name, ancestors)]);
  if (names.length > MAX_ENTRIES) fields.push(['[more]', names.length - MAX_ENTRIES]);
  return Object.fromEntries(fields);
}

function field(source: object, name: string, ancestors: readonly object[]): unknown {
  if (isSecretName(name)) return REDACTED;
  try {
    return copy(Reflect.get(source, name), ancestors);
  } catch {
    return '[unreadable]';
  }
}

/** Libraries hang requests and responses on their errors: beyond the standard fields only scalars pass. */
function copyError(error: Error, ancestors: readonly object[]): Record<string, unknown> {
  const scalars = Object.keys(error).filter((name) => isScalar(read(error, name)));
  const names = ['message', 'stack', 'cause', 'errors'].filter(
    (name) => read(error, name) !== undefined,
  );
  const fields = [...names, ...scalars].map((name) => [name, field(error, name, ancestors)]);
  return { type: field(error, 'name', ancestors), ...Object.fromEntries(fields) };
}

const isScalar = (value: unknown): boolean =>
  /^(?:string|number|boolean|bigint)$/.test(typeof value);

function read(source: object, name: string): unknown {
  try {
    return Reflect.get(source, name);
  } catch {
    return '[unreadable]';
  }
}
