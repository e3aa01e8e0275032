/** What deliveries are signed with: the keys by the name that jobs know them by. Several of one name each make a signature. */
export type Secrets = ReadonlyMap<string, readonly Uint8Array[]>;

/** The name of the secret that is used where a job names none. */
export const DEFAULT_SECRET = 'default';

const ENTRY = /^([a-z0-9][a-z0-9._-]{0,62})=whsec_([A-Za-z0-9+/]+={0,2})$/;
/** By Standard Webhooks. */
const MIN_KEY_BYTES = 24;
const MAX_KEY_BYTES = 64;
/** Each is a signature in a header, and receivers try them all. */
const MAX_KEYS = 5;

/** What is wrong with one of several secrets; never shows any of it. */
export class SecretInvalidError extends Error {
  /** @param place counted from 1 */
  constructor(place: number, problem: string) {
    super(`the secret at place ${place} ${problem}`);
    this.name = 'SecretInvalidError';
  }
}

/**
 * Reads entries such as `default=whsec_…`; empty ones and what begins with `#` are passed over.
 * @throws SecretInvalidError
 */
export function readSecrets(entries: readonly string[]): Secrets {
  const secrets = new Map<string, Uint8Array[]>();
  for (const [index, entry] of entries.entries()) {
    const text = entry.trim();
    if (text === '' || text.startsWith('#')) continue;
    const { name, key } = readEntry(text, index + 1);
    const keys = secrets.get(name) ?? [];
    if (keys.length === MAX_KEYS) {
      throw new SecretInvalidError(
        index + 1,
        `is one more than the ${MAX_KEYS} that a name may have`,
      );
    }
    secrets.set(name, [...keys, key]);
  }
  return secrets;
}

/** All of both; of a name that both have, the keys of both. */
export function mergeSecrets(first: Secrets, second: Secrets): Secrets {
  const merged = new Map(first);
  for (const [name, keys] of second) merged.set(name, [...(first.get(name) ?? []), ...keys]);
  return merged;
}

function readEntry(
  text: string,
  place: number,
): { readonly name: string; readonly key: Uint8Array } {
  const [, name, base64] = ENTRY.exec(text) ?? [];
  if (name === undefined || base64 === undefined) {
    throw new SecretInvalidError(place, 'is not written as name=whsec_<base64>');
  }
  const key = Buffer.from(base64, 'base64');
  // Node's decoder skips what it does not know: only what comes back the same was all base64.
  if (key.toString('base64') !== base64) {
    throw new SecretInvalidError(place, 'is not base64 (RFC 4648, padded) after whsec_');
  }
  if (key.length < MIN_KEY_BYTES || key.length > MAX_KEY_BYTES) {
    throw new SecretInvalidError(place, `is not of ${MIN_KEY_BYTES} to ${MAX_KEY_BYTES} bytes`);
  }
  return { name, key };
}
