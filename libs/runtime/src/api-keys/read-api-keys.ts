import { API_SCOPES, type ApiKey, type ApiScope, isKeyName } from './api-key.ts';

/** Each that is not known is compared with all of them. */
const MAX_KEYS = 100;
const HASH = /^[0-9a-f]{64}$/i;
/** Short enough for no hash and no key to be shown as a scope. */
const WORD = /^[a-z]{1,20}$/;

/** What is wrong with one of several entries. The message shows its place and name, nothing else of it. */
export class ApiKeyInvalidError extends Error {
  constructor(place: number, name: string | undefined, problem: string) {
    super(`entry ${place}${name === undefined ? '' : ` (${name})`} ${problem}`);
    this.name = 'ApiKeyInvalidError';
  }
}

/**
 * Reads entries such as `ci:publish+read:<SHA-256 in hex>`, separated by commas or line breaks. Empty ones, and lines that
 * begin with `#`, are passed over.
 * @param before those that are known already, and stay
 * @throws ApiKeyInvalidError for an entry that is wrong, or comes twice
 */
export function readApiKeys(text: string, before: readonly ApiKey[] = []): readonly ApiKey[] {
  const keys = [...before];
  for (const [index, entry] of entriesOf(text).entries()) {
    const place = index + 1;
    const key = readEntry(entry, place);
    if (keys.some(({ hash }) => hash.equals(key.hash))) {
      throw new ApiKeyInvalidError(place, key.name, 'has the hash of another one');
    }
    if (keys.length === MAX_KEYS) {
      throw new ApiKeyInvalidError(
        place,
        key.name,
        `is one more than the ${MAX_KEYS} there may be`,
      );
    }
    keys.push(key);
  }
  return keys;
}

function entriesOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function readEntry(entry: string, place: number): ApiKey {
  const [name = '', scopes = '', hash = '', ...more] = entry.split(':');
  if (!isKeyName(name)) {
    throw new ApiKeyInvalidError(
      place,
      undefined,
      'does not begin with a name: 1 to 40 of a-z, 0-9, ".", "_" and "-"',
    );
  }
  if (more.length > 0 || !HASH.test(hash)) {
    throw new ApiKeyInvalidError(place, name, 'does not end in a SHA-256 as 64 hexadecimal digits');
  }
  return { name, scopes: readScopes(scopes, place, name), hash: Buffer.from(hash, 'hex') };
}

function readScopes(text: string, place: number, name: string): ReadonlySet<ApiScope> {
  const words = text.split('+');
  const unknown = words.find((word) => !isScope(word));
  if (unknown !== undefined) {
    const shown = WORD.test(unknown) ? `"${unknown}"` : 'what is no word';
    const problem = `has ${shown} for a scope, and there are ${API_SCOPES.join(', ')}`;
    throw new ApiKeyInvalidError(place, name, problem);
  }
  const given = words.filter(isScope);
  return new Set(given.includes('admin') ? API_SCOPES : given);
}

const isScope = (word: string): word is ApiScope => API_SCOPES.some((scope) => scope === word);
