import { REDACTED } from '@warren/contracts';

/** A header as a line of an export has it. Bytes are `{ "!": "base64", "value": … }`; a time or a decimal is as the client reads it. */
export type RecordValue =
  | string
  | number
  | boolean
  | null
  | readonly RecordValue[]
  | { readonly [name: string]: RecordValue };

/** The headers of a letter that a line can hold just so, and the names of the others. */
export interface KeptHeaders {
  readonly headers: Readonly<Record<string, RecordValue>>;
  readonly notKept: readonly string[];
}

/** Tables and lists in each other: what is read again must not end the process. */
const MAX_DEPTH = 32;
const BASE64 = 'base64';
export const PROTOTYPE = '__proto__';

/** A table of that name in a table: the client makes a prototype of it, and a line would make it one. */
export function namesPrototype(table: object): boolean {
  return Object.getPrototypeOf(table) !== Object.prototype || Object.hasOwn(table, PROTOTYPE);
}

/** For a line of an export. */
export function keptHeaders(headers: Readonly<Record<string, unknown>>): KeptHeaders {
  const kept: [string, RecordValue][] = [];
  const notKept: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    const written = toRecord(value, 0);
    if (written === undefined) notKept.push(name);
    else kept.push([name, written]);
  }
  return { headers: Object.fromEntries(kept), notKept };
}

/** Undefined for what cannot be told from another value, or would be another one when it is written. */
function toRecord(value: unknown, depth: number): RecordValue | undefined {
  if (value === null || isScalar(value)) return value;
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return undefined;
  if (Buffer.isBuffer(value)) return { '!': BASE64, value: value.toString('base64') };
  if (Array.isArray(value)) {
    const items = value.map((item) => toRecord(item, depth + 1));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (namesPrototype(value)) return undefined;
  if (Object.hasOwn(value, '!')) return isMarked(value) ? (value as RecordValue) : undefined;
  const entries = Object.entries(value).map(([name, one]) => [name, toRecord(one, depth + 1)]);
  return entries.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(entries);
}

/** The headers of a line, as the client writes them. @throws Error naming the one that is wrong */
export function writableHeaders(headers: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const read = name === PROTOTYPE ? undefined : fromRecord(value, 0);
      if (read === undefined) throw new Error(`${JSON.stringify(name)} has a wrong value`);
      return [name, read];
    }),
  ) as Readonly<Record<string, unknown>>;
}

function fromRecord(value: unknown, depth: number): unknown {
  if (value === null || isScalar(value)) return value;
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => fromRecord(item, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  if (namesPrototype(value)) return undefined;
  if (Object.hasOwn(value, '!')) return isMarked(value) ? value : bytesOf(value);
  const entries = Object.entries(value).map(([name, one]) => [name, fromRecord(one, depth + 1)]);
  return entries.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(entries);
}

function bytesOf(table: object): Buffer | undefined {
  const text: unknown = Reflect.get(table, 'value');
  if (Reflect.get(table, '!') !== BASE64 || Object.keys(table).length !== 2) return undefined;
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** Nobody can search bytes for what is personal. */
export function withoutBytes(value: RecordValue): RecordValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (bytesOf(value) !== undefined) return REDACTED;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutBytes(one)]));
}

/** A value whose kind the client knows by a mark. */
function isMarked(table: object): boolean {
  if (Object.keys(table).length !== 2) return false;
  const value: unknown = Reflect.get(table, 'value');
  switch (Reflect.get(table, '!')) {
    case 'timestamp':
      return isWhole(value, Number.MAX_SAFE_INTEGER);
    case 'decimal':
      return (
        typeof value === 'object' &&
        value !== null &&
        Object.keys(value).length === 2 &&
        isWhole(Reflect.get(value, 'places'), 255) &&
        isWhole(Reflect.get(value, 'digits'), 2 ** 32 - 1)
      );
    default:
      return false;
  }
}

function isWhole(value: unknown, max: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
}

/** JSON holds neither NaN nor infinity. */
export function isScalar(value: unknown): value is string | number | boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' || typeof value === 'boolean';
}
