import { createHash } from 'node:crypto';
import { CursorInvalidError } from '@warren/contracts';

const MAX_LENGTH = 2_000;
const CHECK_LENGTH = 12;

/**
 * Where a page ended, as an opaque text. `scope` names the list with its filter: a cursor is refused by any other.
 * The check finds cursors that were cut or altered; it is no secret.
 */
export function encodeCursor(scope: string, position: readonly (string | number)[]): string {
  const json = JSON.stringify(position);
  return Buffer.from(`${checkOf(scope, json)}${json}`).toString('base64url');
}

/**
 * The position in a cursor; `kinds` are the types of its parts.
 * @throws CursorInvalidError
 */
export function decodeCursor(
  scope: string,
  cursor: string,
  kinds: readonly ('string' | 'number')[],
): (string | number)[] {
  const text =
    typeof cursor === 'string' && cursor.length <= MAX_LENGTH
      ? Buffer.from(cursor, 'base64url').toString()
      : '';
  const json = text.slice(CHECK_LENGTH);
  if (json === '' || checkOf(scope, json) !== text.slice(0, CHECK_LENGTH)) {
    throw new CursorInvalidError('was not given out for this list');
  }
  const position = JSON.parse(json) as unknown[];
  if (position.length !== kinds.length || !position.every((part, at) => fits(part, kinds[at]))) {
    throw new CursorInvalidError('was not given out for this list');
  }
  return position as (string | number)[];
}

/** Whoever computes the check still gets no text or number past this that the database refuses. */
function fits(part: unknown, kind: 'string' | 'number' | undefined): boolean {
  return kind === 'number'
    ? Number.isSafeInteger(part)
    : typeof part === kind && !/\0/.test(`${part}`);
}

function checkOf(scope: string, json: string): string {
  return createHash('sha256')
    .update(`${scope}\n${json}`)
    .digest('base64url')
    .slice(0, CHECK_LENGTH);
}
