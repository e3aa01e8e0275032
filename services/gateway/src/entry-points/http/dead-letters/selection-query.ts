import type { Selection } from '@warren/dead-letter';
import type { Request } from 'express';
import { badFields, type FieldError } from '../http-error.ts';
import type { Described } from '../route.ts';
import { queryParameter } from '../status/parameters.ts';
import { type Query, readRepeated } from '../status/query.ts';
import { selection } from './letter-schemas.ts';
import { selectionIn } from './run-request.ts';

const REPEATABLE = ['id', 'type', 'error', 'fingerprint', 'header'] as const;
const TIMES = ['since', 'until'] as const;

/** By the name that a selection has in a body. */
const NAMES: Readonly<Record<string, string>> = {
  ids: 'id',
  types: 'type',
  errors: 'error',
  fingerprints: 'fingerprint',
  headers: 'header',
};

const TEXT = { type: 'string' };
const TIME = { type: 'string', format: 'date-time' };

function repeated(name: string, description: string): Described {
  return {
    ...queryParameter(name, description, { type: 'array', items: TEXT }),
    style: 'form',
    explode: true,
  };
}

/** Which dead letters, as the command has it: those that fit all that is given, by any one of its values. */
export const SELECTED: readonly Described[] = [
  repeated('id', 'Of the job; may be repeated, as the next four.'),
  repeated('type', 'Job type or event.'),
  repeated('error', 'Class or code of the last failure.'),
  repeated('fingerprint', 'As groups show it.'),
  repeated('header', "The publisher's own, such as `tenant=acme`; repeated, all must fit."),
  queryParameter('since', 'Died then or later.', TIME),
  queryParameter('until', 'Died before then.', TIME),
];

/**
 * Reads which dead letters are meant, and what else a query string has.
 * @throws HttpError 400 that names what is wrong
 */
export function readSelectionQuery<Name extends string>(
  request: Request,
  known: readonly Name[],
): { readonly selection: Selection; readonly query: Query<Name> } {
  const { one, many } = readRepeated(request, [...known, ...TIMES], REPEATABLE);
  const { id: ids, type: types, error: errors, fingerprint: fingerprints } = many;
  const headers = many.header && headersIn(many.header);
  const { since, until, ...query } = one as Query<Name> & Query<(typeof TIMES)[number]>;
  const read = selection.safeParse({ ids, types, errors, fingerprints, headers, since, until });
  if (read.success) {
    return { selection: selectionIn(read.data), query: query as unknown as Query<Name> };
  }
  throw badFields(
    read.error.issues.map(({ path, message }): FieldError => {
      const name = String(path[0]);
      return { field: `query.${NAMES[name] ?? name}`, message };
    }),
  );
}

function headersIn(pairs: readonly string[]): Record<string, string> {
  const entries = pairs.map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
    throw badHeader('expected a name and its value, such as tenant=acme');
  });
  if (new Set(entries.map(([name]) => name)).size < entries.length) {
    throw badHeader('one name cannot have two values at once');
  }
  return Object.fromEntries(entries);
}

function badHeader(message: string) {
  return badFields([{ field: 'query.header', message }]);
}
