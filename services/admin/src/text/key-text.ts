import type { NewApiKey } from '@warren/runtime';

/** A new key, for whoever hands it on. */
export function newKeyText({ key, entry }: NewApiKey): string {
  return [
    'The key, for the caller. It is shown now, and never again:',
    `  ${key}`,
    'Its entry for WARREN_API_KEYS of the gateways:',
    `  ${entry}`,
    '',
  ].join('\n');
}
