import { timingSafeEqual } from 'node:crypto';
import { type ApiKey, hashOfKey, isApiKey } from '@warren/runtime';

const BEARER = /^bearer +(\S+) *$/i;

/** Recognises callers by what their requests have in `Authorization`. */
export class KeyRing {
  readonly #keys: readonly ApiKey[];
  /**
   * Those that were recognised, by the whole header, so that a request costs one look-up. It never has more than there are
   * keys: a header gets in by the hash of its key, and in one spelling.
   */
  readonly #seen = new Map<string, ApiKey>();

  constructor(keys: readonly ApiKey[]) {
    this.#keys = keys;
  }

  /** Undefined where the header is missing, is no key, or is one that nobody knows. */
  find(authorization: string | undefined): ApiKey | undefined {
    if (authorization === undefined) return undefined;
    return this.#seen.get(authorization) ?? this.#look(authorization);
  }

  #look(authorization: string): ApiKey | undefined {
    const [, key = ''] = BEARER.exec(authorization) ?? [];
    if (!isApiKey(key)) return undefined;
    const hash = hashOfKey(key);
    let found: ApiKey | undefined;
    // All of them, each in the same time: how long it takes says nothing of what is known.
    for (const known of this.#keys) if (timingSafeEqual(known.hash, hash)) found = known;
    if (found) this.#seen.set(`Bearer ${key}`, found);
    return found;
  }
}
