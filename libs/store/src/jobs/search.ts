import { cleanText, cutText } from '../clean-text.ts';
import { LIMITS } from '../projection/limits.ts';
import type { JobFilter } from './types.ts';

/** Of each way to find jobs so many are looked at: however many there are, a search has an end. */
const MAX_LOOKED_AT = 10_000;

/** The order of lists of jobs. */
export const NEWEST_FIRST = 'ORDER BY created_at_ms DESC, id DESC, queue DESC';

/** One way to find jobs: rows `j` of `from` that fulfil all of `where`. A job may be found in several. */
export interface Way {
  readonly from: string;
  readonly where: readonly string[];
  /** Whether states are to be asked for one by one, each by its index, and not all at once. */
  readonly isByState: boolean;
}

/** Above all that goes on after a beginning, in the order of "C". */
const LAST_CHARACTER = '\u{10ffff}';

/**
 * How to find the jobs of a filter: ids and correlation ids by how they begin, error messages by any part, since no index knows
 * what is in them. Orders and bounds leave the planner nothing but the index of each way.
 */
export function waysToFind(
  { search, type }: JobFilter,
  table: string,
  next: (value: string) => string,
): Way[] {
  if (!search) return [{ from: table, where: [], isByState: true }];
  const text = cutText(search, LIMITS.nameBytes);
  const from = `${next(text)}::text`;
  const to = `${next(`${text}${LAST_CHARACTER}`)}::text`;
  const newest = (where: string, order: string) =>
    `(SELECT * FROM ${table} WHERE ${where} ${order} LIMIT ${MAX_LOOKED_AT})`;
  // Ids are in the order of time: the last ones are the newest.
  const beginning = (column: string) =>
    newest(`${column} >= ${from} AND ${column} < ${to}`, `ORDER BY ${column} DESC`);
  const ofType = type === undefined ? '' : `AND type = ${next(cleanText(type))}::text`;
  const hasPart = `j.error::json->>'message' ILIKE ${next(likePart(text))}::text`;
  return [
    { from: beginning('id'), where: [], isByState: false },
    { from: beginning('correlation_id'), where: [], isByState: false },
    {
      from: newest(`error IS NOT NULL ${ofType}`, NEWEST_FIRST),
      where: [hasPart],
      isByState: false,
    },
  ];
}

function likePart(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
