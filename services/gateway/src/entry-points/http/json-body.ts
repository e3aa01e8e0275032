import type { IncomingMessage } from 'node:http';
import { decodePayload, MessageUnreadableError } from '@warren/contracts';
import { type FieldError, HttpError } from './http-error.ts';
import { checkMediaType } from './media-type.ts';
import { readBody } from './read-body.ts';

/**
 * Reads and parses a JSON body.
 * @throws HttpError 415 for another media type, charset or content encoding; 413 over the limit; 408 when it takes too
 * long; 400 for what is not JSON in UTF-8, or has a key named `__proto__` (spelt out or escaped)
 */
export async function readJsonBody(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  checkMediaType(request, ['application/json']);
  return parseJson(await readBody(request, limitBytes), 'the body');
}

/**
 * @param what what the bytes are, for the error
 * @throws HttpError 400 for what is not JSON in UTF-8, or has a key named `__proto__`
 */
export function parseJson(bytes: Buffer, what: string): unknown {
  try {
    return decodePayload(bytes);
  } catch (error) {
    if (!(error instanceof MessageUnreadableError)) throw error;
    const problem = error.message.replace(/^the body/, what);
    throw new HttpError(400, problem, { errors: [fieldErrorOf(problem, what)] });
  }
}

/** The codec says `path: what is wrong` where it knows a path; its own messages begin with what it is about. */
function fieldErrorOf(problem: string, what: string): FieldError {
  const end = problem.lastIndexOf(': ');
  if (end < 0 || problem.startsWith(what)) return { field: 'body', message: problem };
  return { field: problem.slice(0, end), message: problem.slice(end + 2) };
}
