import { createHash } from 'node:crypto';

const MAX_PLAIN_KEY = 200;

/** A short printable key as it is; any other by its hash, so that no two become one. */
export function storedKey(key: string): string {
  if (key.length <= MAX_PLAIN_KEY && /^[\x20-\x7e]*$/.test(key) && !key.startsWith('sha256:')) {
    return key;
  }
  return `sha256:${createHash('sha256').update(Buffer.from(key, 'utf16le')).digest('hex')}`;
}
