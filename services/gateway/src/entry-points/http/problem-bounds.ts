import type { FieldError } from './http-error.ts';

/** So many wrong fields are named; whoever sends more of them has something else to mend first. */
export const MAX_FIELD_ERRORS = 20;
const MAX_FIELD_LENGTH = 200;
const MAX_TEXT_LENGTH = 1_000;

/**
 * What a problem says of a request, bounded: neither many wrong fields nor long names make an answer that is larger than
 * the request.
 */
export function boundedProblem(
  detail: string,
  errors: readonly FieldError[],
): { readonly detail: string; readonly errors: readonly FieldError[] } {
  const shown = errors.slice(0, MAX_FIELD_ERRORS).map(({ field, message }) => ({
    field: cut(field, MAX_FIELD_LENGTH),
    message: cut(message, MAX_TEXT_LENGTH),
  }));
  const rest = errors.length - shown.length;
  const more = rest > 0 ? ` (${errors.length} errors, of which ${shown.length} are named)` : '';
  return { detail: cut(detail, MAX_TEXT_LENGTH) + more, errors: shown };
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
