import type { IncomingMessage } from 'node:http';
import type { LimitRule } from '@warren/contracts';
import type { ApiKey, ApiScope } from '@warren/runtime';
import type { RequestNotes } from '../access-log.ts';
import { HttpError } from '../http-error.ts';
import { KeyRates } from './key-rates.ts';
import { KeyRing } from './key-ring.ts';
import type { Access } from './route-access.ts';

/** Who may call, and how often. */
export interface GuardOptions {
  /** Absent: whoever reaches the gateway may do everything. */
  readonly keys?: readonly ApiKey[] | undefined;
  /** For the requests of all keys of one name together; absent: as many as come. */
  readonly keyRate?: LimitRule | undefined;
}

/**
 * Lets a request pass, and notes whose it is; `known` is for callers with any key.
 * @throws HttpError 401, 403 or 429
 */
export type Guard = (
  request: IncomingMessage,
  access: Access | 'known',
  notes: RequestNotes,
) => void;

const CHALLENGE = 'Bearer realm="warren"';

/** Undefined where no keys are set: then nothing is asked of anybody. */
export function createGuard({ keys, keyRate }: GuardOptions): Guard | undefined {
  if (!keys) return undefined;
  const ring = new KeyRing(keys);
  const rates = keyRate && new KeyRates(keyRate);
  return (request, access, notes) => {
    if (access === 'open') return;
    const { authorization } = request.headers;
    const key = ring.find(authorization);
    if (!key) throw unauthenticated(authorization !== undefined);
    notes.caller = key.name;
    const waitMs = rates?.take(key.name) ?? 0;
    if (waitMs > 0) throw tooMany(key.name, waitMs);
    if (access !== 'known' && !key.scopes.has(access)) throw scopeMissing(key.name, access);
  };
}

function unauthenticated(hasHeader: boolean): HttpError {
  const message = hasHeader
    ? 'the Authorization header has no key that is known here'
    : 'a key is needed: send it as Authorization: Bearer <key>';
  return new HttpError(401, message, {
    code: 'UNAUTHENTICATED',
    headers: { 'WWW-Authenticate': hasHeader ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE },
  });
}

function scopeMissing(name: string, scope: ApiScope): HttpError {
  return new HttpError(403, `the key ${name} does not have the scope ${scope}`, {
    code: 'SCOPE_MISSING',
    headers: { 'WWW-Authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` },
  });
}

function tooMany(name: string, waitMs: number): HttpError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new HttpError(429, `the key ${name} is used too often; the next request in ${seconds} s`, {
    code: 'RATE_LIMITED',
    headers: { 'Retry-After': String(seconds) },
  });
}
