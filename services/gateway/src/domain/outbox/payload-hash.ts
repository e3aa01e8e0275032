import { createHash } from 'node:crypto';

/** A fingerprint of a job type and its payload; the order of keys makes no difference. */
export function payloadHash(type: string, payload: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([type, payload], inOrder))
    .digest('base64url');
}

function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
