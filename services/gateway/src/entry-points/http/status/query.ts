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

/** Texts of a query string that may be given several times, by name. */
export type Repeated<Name extends string> = { readonly [Key in Name]?: readonly string[] };

/**
 * As `readQuery`, where some names may be repeated.
 * @throws HttpError 400 as there
 */
export function readRepeated<Name extends string, Many extends string>(
  request: Request,
  known: readonly Name[],
  repeatable: readonly Many[],
): { readonly one: Query<Name>; readonly many: Repeated<Many> } {
  const all = [...known, ...repeatable];
  const many = new Map<string, readonly string[]>();
  const one = new Map<string, string>();
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(request.query)) {
    const isMany = repeatable.some((each) => each === name);
    const values: unknown[] = isMany && Array.isArray(value) ? value : [value];
    for (const each of values) {
      const message = problemWith(name, each, all);
      if (message !== undefined) errors.push({ field: `query.${name.slice(0, 100)}`, message });
    }
    if (isMany) many.set(name, values as string[]);
    else one.set(name, value as string);
  }
  if (errors.length > 0) throw badFields(errors);
  return {
    one: Object.fromEntries(one) as Query<Name>,
    many: Object.fromEntries(many) as Repeated<Many>,
  };
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
