import type { IncomingMessage } from 'node:http';
import { parse } from 'node:querystring';
import { badFields, type HttpError } from './http-error.ts';

const MAX_KEY_LENGTH = 255;

/**
 * All options are in the body: one in the query, or a key in a header where none is understood, would be ignored without a
 * word.
 */
export function refuseStrayOptions(
  request: IncomingMessage,
  { takesKey }: { readonly takesKey: boolean } = { takesKey: false },
): void {
  const { url = '' } = request;
  if (url.includes('?')) refuseQuery(url);
  if (takesKey || request.headers['idempotency-key'] === undefined) return;
  // Taking it without a word would promise that duplicates are recognised.
  throw badKey(
    'is understood by POST /v1/jobs, where the gateway has a store; give idempotencyKey in the body, which makes the id',
  );
}

/**
 * The request's `Idempotency-Key`.
 * @throws HttpError 400 for one that is empty, too long or no printable ASCII
 */
export function keyOf(request: IncomingMessage): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && /^[\x20-\x7e]+$/.test(key) && key.length <= MAX_KEY_LENGTH) {
    return key;
  }
  throw badKey(`expected 1 to ${MAX_KEY_LENGTH} printable ASCII letters`);
}

function badKey(message: string): HttpError {
  return badFields([{ field: 'idempotency-key', message }]);
}

function refuseQuery(url: string): void {
  const names = Object.keys(parse(url.slice(url.indexOf('?') + 1)));
  if (names.length === 0) return;
  throw badFields(
    names.map((name) => ({ field: `query.${name.slice(0, 100)}`, message: 'unknown option' })),
  );
}

/** The caller's own `X-Request-Id`, where it can serve as a correlation id: short, printable ASCII. */
export function requestIdOf(request: IncomingMessage): string | undefined {
  const id = request.headers['x-request-id'];
  return typeof id === 'string' && /^[\x21-\x7e]{1,128}$/.test(id) ? id : undefined;
}
