import { readFileSync } from 'node:fs';
import { ConfigInvalidError } from '@warren/contracts';
import { type ApiKey, readApiKeys } from '@warren/runtime';
import type { GatewayConfig } from './config.ts';

type KeySettings = Pick<
  GatewayConfig,
  'WARREN_API_KEYS' | 'WARREN_API_KEYS_FILE' | 'WARREN_API_KEY_RATE'
>;

/**
 * The keys of the setting and of its file; undefined where neither is set.
 * @throws ConfigInvalidError naming WARREN_API_KEYS_FILE, also where neither has a key; or WARREN_API_KEY_RATE, without keys
 */
export function configuredKeys(config: KeySettings): readonly ApiKey[] | undefined {
  const { WARREN_API_KEYS: set, WARREN_API_KEYS_FILE: path, WARREN_API_KEY_RATE: rate } = config;
  const keys = path === undefined ? set : keysIn(path, set);
  if (rate && !keys) throw new ConfigInvalidError('WARREN_API_KEY_RATE', 'needs WARREN_API_KEYS');
  return keys;
}

function keysIn(path: string, before?: readonly ApiKey[]): readonly ApiKey[] {
  const keys = readFile(path, before);
  // Whoever names a file means that callers are to be asked for a key.
  if (keys.length > 0) return keys;
  throw new ConfigInvalidError('WARREN_API_KEYS_FILE', `${path} has no entry`);
}

function readFile(path: string, before?: readonly ApiKey[]): readonly ApiKey[] {
  try {
    return readApiKeys(readFileSync(path, 'utf8'), before);
  } catch (error) {
    throw new ConfigInvalidError('WARREN_API_KEYS_FILE', String(Object(error).message));
  }
}
