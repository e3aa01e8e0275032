import type { Request } from 'express';
import { badFields, type FieldError } from '../http-error.ts';

const MAX_TEXT_LENGTH = 2_000;

/** Texts of a query string, by name. */
export type Query<Name extends string> = { readonly [Key in Name]?: string };

/**
 * The query string of a request that knows these names, each at most once.
 * @throws HttpError 400 that names what is unknown, empty, repeated or too long
 */
export function readQuery<Name extends string>(
  request: Request,
  known: readonly Name[],
): Query<Name> {
  if (!request.url.includes('?')) return {};
  const entries = Object.entries(request.query);
  const errors = entries.flatMap(([name, value]): FieldError[] => {
    const message = problemWith(name, value, known);
    return message === undefined ? [] : [{ field: `query.${name.slice(0, 100)}`, message }];
  });
  if (errors.length > 0) throw badFields(errors);
  return Object.fromEntries(entries) as Query<Name>;
}

function problemWith(name: string, value: unknown, known: readonly string[]): string | undefined {
  if (!known.includes(name)) {
    return `unknown option (known: ${known.length === 0 ? 'none' : known.join(', ')})`;
  }
  if (typeof value !== 'string') return 'is given more than once';
  if (value === '') return 'is empty';
  return value.length > MAX_TEXT_LENGTH ? `longer than ${MAX_TEXT_LENGTH} characters` : undefined;
}

/**
 * A whole number of a query string.
 * @throws HttpError 400 that names it
 */
export function wholeNumberIn(
  text: string | undefined,
  field: string,
  range: { readonly min: number; readonly max: number; readonly default: number },
): number {
  if (text === undefined) return range.default;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  const message = `expected a whole number from ${range.min} to ${range.max}`;
  throw badFields([{ field: `query.${field}`, message }]);
}
