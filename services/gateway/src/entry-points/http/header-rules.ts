import { checkHeaders, type PublishHeaders } from '@warren/client';
import { HeaderInvalidError } from '@warren/contracts';
import type { FieldError } from './http-error.ts';

/** Half a surrogate pair has no UTF-8 form: encoding would silently replace it. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Everything that is wrong with the headers of a job, by header; the rules are the client's. */
export function headerErrors(headers: Readonly<Record<string, unknown>>): FieldError[] {
  const errors = Object.entries(headers).flatMap(([name, value]) => {
    const message = headerProblem({ [name]: value }) ?? textProblem(name) ?? textProblem(value);
    return message ? [{ field: `headers.${name.slice(0, 100)}`, message }] : [];
  });
  const message = errors.length === 0 ? headerProblem(headers) : undefined;
  return message ? [{ field: 'headers', message }] : errors;
}

function headerProblem(headers: Readonly<Record<string, unknown>>): string | undefined {
  try {
    checkHeaders(headers as PublishHeaders);
    return undefined;
  } catch (error) {
    if (!(error instanceof HeaderInvalidError)) throw error;
    return error.message;
  }
}

/** What keeps a text from being sent as it is. */
export function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string' || !LONE_SURROGATE.test(value)) return undefined;
  return 'is not well-formed Unicode';
}
