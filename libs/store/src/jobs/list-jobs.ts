import { cleanText } from '../clean-text.ts';
import type { Sql, SqlValue } from '../database/database.ts';
import type { Page } from '../page.ts';
import type { SchemaNames } from '../schema-names.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { jobRecord, jobSelect, type SeenJobRow } from './job-record.ts';
import { NEWEST_FIRST, type Way, waysToFind } from './search.ts';
import type { JobFilter, JobRecord } from './types.ts';

const MAX_LIMIT = 1_000;

/** Between 1 and what one answer may hold. */
export function boundedLimit(limit: number): number {
  return Math.min(Math.max(Math.trunc(limit) || 1, 1), MAX_LIMIT);
}

/**
 * Jobs that fit the filter, newest first.
 * @throws CursorInvalidError
 */
export async function listJobs(
  sql: Sql,
  schemas: SchemaNames,
  filter: JobFilter,
): Promise<Page<JobRecord>> {
  const limit = boundedLimit(filter.limit);
  const values: SqlValue[] = [];
  const next = (value: SqlValue) => `$${values.push(value)}`;
  const where = conditions(filter, next);
  const order = `${NEWEST_FIRST} LIMIT ${next(limit + 1)}::int`;
  const table = `${schemas.projection}.jobs`;
  const states = filter.states && [...new Set(filter.states.map(cleanText))].map(textOf(next));
  const parts = waysToFind(filter, table, next).flatMap((way) =>
    statesOf(way, states).map(
      (state) =>
        `(SELECT ${jobSelect(schemas)} FROM ${way.from} AS j WHERE ${['true', ...state, ...way.where, ...where].join(' AND ')} ${order})`,
    ),
  );
  if (parts.length === 0) return { items: [] };
  const text =
    parts.length === 1
      ? parts.join('')
      : `SELECT DISTINCT ON (created_at_ms, id, queue) * FROM (${parts.join(' UNION ALL ')}) AS j ${order}`;
  return pageOf(await sql.query<SeenJobRow>(text, values), limit, filter);
}

const textOf = (next: (value: SqlValue) => string) => (text: string) => `${next(text)}::text`;

/** Each state by its own index, then merged: a state that is rare is found as fast as one that is not. */
function statesOf({ isByState }: Way, states: readonly string[] | undefined): string[][] {
  if (states === undefined) return [[]];
  if (isByState) return states.map((state) => [`state = ${state}`]);
  return states.length === 0 ? [] : [[`state IN (${states.join(', ')})`]];
}

function pageOf(rows: readonly SeenJobRow[], limit: number, filter: JobFilter): Page<JobRecord> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  return {
    items: items.map(jobRecord),
    cursor: last && encodeCursor(scopeOf(filter), [last.created_at_ms, last.id, last.queue]),
  };
}

/** What makes two lists the same: a cursor of one is refused by the other. */
function scopeOf({ type, states, search }: JobFilter): string {
  return JSON.stringify(['jobs', type ?? null, [...(states ?? [])].sort(), search ?? null]);
}

function conditions(filter: JobFilter, next: (value: SqlValue) => string): string[] {
  const where: string[] = [];
  if (filter.type !== undefined) where.push(`type = ${next(cleanText(filter.type))}::text`);
  if (filter.cursor !== undefined) {
    const kinds = ['number', 'string', 'string'] as const;
    const [atMs = 0, id = '', queue = ''] = decodeCursor(scopeOf(filter), filter.cursor, kinds);
    where.push(
      `(created_at_ms, id, queue) < (${next(atMs)}::bigint, ${next(id)}::text, ${next(queue)}::text)`,
    );
  }
  return where;
}
