import type { LogLevel } from '@warren/history';
import { cleanText } from '../clean-text.ts';
import type { Sql } from '../database/database.ts';
import type { LogRow } from '../projection/log-lines.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { boundedLimit } from './list-jobs.ts';
import type { LogPage, LogRecord } from './types.ts';

/**
 * Lines of a job in the order in which they were written, run by run.
 * @throws CursorInvalidError
 */
export async function readLog(
  sql: Sql,
  schema: string,
  job: { queue: string; id: string },
  page: { limit: number; cursor?: string | undefined },
): Promise<LogPage> {
  const limit = boundedLimit(page.limit);
  const scope = JSON.stringify(['log', job.queue, job.id]);
  const [run = '', seq = -1] =
    page.cursor === undefined ? [] : decodeCursor(scope, page.cursor, ['string', 'number']);
  const key = [cleanText(job.id), cleanText(job.queue)];
  const rows = await sql.query<LogRow>(
    `SELECT run, seq, at_ms, level, message, fields, is_cut FROM ${schema}.logs
      WHERE id = $1::text AND queue = $2::text AND (run, seq) > ($3::text, $4::bigint)
      ORDER BY run, seq LIMIT $5::int`,
    [...key, run, seq, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const position = last ? encodeCursor(scope, [last.run, last.seq]) : page.cursor;
  return {
    items: items.map(logRecord),
    cursor: rows.length > limit ? position : undefined,
    position,
    missing: await missingLines(sql, schema, key),
  };
}

/** Lines number themselves in each run: what is not kept shows in the difference. */
async function missingLines(sql: Sql, schema: string, key: string[]): Promise<number> {
  const [row] = await sql.query<{ missing: number }>(
    `SELECT coalesce((SELECT sum(log_lines) FROM ${schema}.attempts WHERE id = $1::text AND queue = $2::text), 0)::bigint
      - (SELECT count(*) FROM ${schema}.logs WHERE id = $1::text AND queue = $2::text) AS missing`,
    key,
  );
  return Math.max(row?.missing ?? 0, 0);
}

function logRecord(row: LogRow): LogRecord {
  return {
    run: row.run,
    seq: row.seq,
    atMs: row.at_ms,
    level: row.level as LogLevel,
    message: row.message,
    ...(row.fields === null ? {} : { fields: fieldsOf(row.fields) }),
    ...(row.is_cut ? { isCut: true } : {}),
  };
}

/** JSON, or as text what is none. */
function fieldsOf(fields: string): unknown {
  try {
    return JSON.parse(fields);
  } catch {
    return fields;
  }
}
