import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { HttpError } from './http-error.ts';

/**
 * The media type of a request's body, one of those that are allowed here.
 * @throws HttpError 415 for another media type, another charset than UTF-8, or a content encoding
 */
export function checkMediaType(request: IncomingMessage, allowed: readonly string[]): string {
  const header = request.headers['content-type'];
  checkEncoding(request.headers['content-encoding']);
  // What nearly everybody sends needs no parser.
  if (header !== undefined && allowed.includes(header)) return header;
  const type = parsedType(header ?? '');
  if (!type || !allowed.includes(type.essence)) {
    const problem = `expected ${allowed.join(' or ')}, got ${header ?? 'none'}`;
    throw unsupported('content-type', problem);
  }
  const charset = type.params.get('charset');
  if (charset && !/^utf-?8$/i.test(charset)) {
    throw unsupported('content-type', `expected charset utf-8, got ${charset}`);
  }
  return type.essence;
}

function parsedType(header: string): MIMEType | undefined {
  try {
    return new MIMEType(header);
  } catch {
    return undefined;
  }
}

function checkEncoding(encoding: string | undefined): void {
  if (encoding === undefined || /^identity$/i.test(encoding)) return;
  throw unsupported('content-encoding', `expected none, got ${encoding}`);
}

function unsupported(field: string, message: string): HttpError {
  return new HttpError(415, `${field}: ${message}`, { errors: [{ field, message }] });
}
