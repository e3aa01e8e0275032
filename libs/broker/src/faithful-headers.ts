import { HeaderInvalidError } from '@warren/contracts';

/** Kinds of values that the client reads as `{ '!': kind, value }`, and writes as such. */
const KINDS: ReadonlySet<unknown> = new Set(['timestamp', 'decimal']);

/**
 * Are these headers, as the client has read them, ones that it writes just so?
 * @throws HeaderInvalidError naming what it would write otherwise
 */
export function refuseUnfaithfulHeaders(headers: Readonly<Record<string, unknown>>): void {
  refuseOwnPrototype(headers);
  for (const value of Object.values(headers)) refuseUnfaithful(value);
}

function refuseUnfaithful(value: unknown): void {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return;
  if (Array.isArray(value)) {
    for (const one of value) refuseUnfaithful(one);
    return;
  }
  refuseOwnPrototype(value);
  if (!Object.hasOwn(value, '!')) {
    for (const one of Object.values(value)) refuseUnfaithful(one);
  } else if (!KINDS.has(Reflect.get(value, '!')) || Object.keys(value).length !== 2) {
    throw new HeaderInvalidError(
      'headers',
      'hold a table with the name "!", which no copy can have',
    );
  }
}

/** The client reads a table with the name `__proto__` as a prototype, and writes it as part of the table around it. */
export function refuseOwnPrototype(table: object): void {
  if (Object.getPrototypeOf(table) === Object.prototype) return;
  throw new HeaderInvalidError('headers', 'hold a table with the name "__proto__"');
}
