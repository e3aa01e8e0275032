import { createHash, randomBytes } from 'node:crypto';
import { ConfigInvalidError } from '@warren/contracts';

/** What a key may be for. */
export const API_SCOPES = ['publish', 'read', 'admin'] as const;

export type ApiScope = (typeof API_SCOPES)[number];

/** What is known of a key: all but the key itself. */
export interface ApiKey {
  /** Whose it is, for people. Several keys may have one name, so that they can be changed one after the other. */
  readonly name: string;
  /** Everything that it may do: who may `admin` may do all. */
  readonly scopes: ReadonlySet<ApiScope>;
  /** SHA-256. A key is random, so there is nothing that a slow hash would make harder to guess. */
  readonly hash: Buffer;
}

/** A key that was just made, and what the gateway is told of it. */
export interface NewApiKey {
  /** For the caller. It is kept nowhere. */
  readonly key: string;
  /** For `WARREN_API_KEYS`. */
  readonly entry: string;
}

/** Those who look for secrets in files find keys by it. */
const PREFIX = 'warren_';
const KEY_BYTES = 32;
const KEY = /^warren_[A-Za-z0-9_-]{43}$/;
/** Shorter than a key and than a hash: neither can stand in the place of a name, and be shown as one. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/**
 * Makes a key of 256 random bits.
 * @throws ConfigInvalidError naming `name` or `scope`
 */
export function newApiKey(name: string, scopes: readonly ApiScope[]): NewApiKey {
  if (!isKeyName(name)) {
    throw new ConfigInvalidError('name', 'must be 1 to 40 of a-z, 0-9, ".", "_" and "-"');
  }
  if (scopes.length === 0) throw new ConfigInvalidError('scope', 'must be given at least once');
  const key = `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
  const words = API_SCOPES.filter((scope) => scopes.includes(scope)).join('+');
  return { key, entry: `${name}:${words}:${hashOfKey(key).toString('hex')}` };
}

/** Whether a text is of the form that keys have. Anything else is none: people choose words that can be guessed. */
export function isApiKey(text: string): boolean {
  return KEY.test(text);
}

export function isKeyName(text: string): boolean {
  return NAME.test(text);
}

export function hashOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
