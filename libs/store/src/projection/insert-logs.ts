import { type Columns, columnList, recordSet } from '../record-set.ts';
import { LIMITS } from './limits.ts';
import type { LogRow } from './log-lines.ts';

const COLUMNS: Columns<LogRow> = {
  id: 'text',
  queue: 'text',
  run: 'text',
  seq: 'int',
  at_ms: 'bigint',
  level: 'text',
  message: 'text',
  fields: 'text',
  is_cut: 'boolean',
};

const JOB = { id: 'text', queue: 'text' };

/** Writes lines; one that is there stays. `$1`: the rows as JSON. */
export function insertLogs(schema: string): string {
  return `INSERT INTO ${schema}.logs (${columnList(COLUMNS)})
    SELECT ${columnList(COLUMNS)} FROM ${recordSet(COLUMNS, 1)}
    ON CONFLICT DO NOTHING`;
}

/**
 * Which jobs have more lines than are kept, and the oldest line to keep of each. `$1`: jobs as JSON, each `id` and
 * `queue`. Apart from the deletion: in one statement PostgreSQL looks for the line again for each line that it joins.
 */
export function overfullLogs(schema: string): string {
  return `SELECT r.id, r.queue, oldest.run, oldest.seq FROM ${recordSet(JOB, 1)}
    CROSS JOIN LATERAL (
      SELECT run, seq FROM ${schema}.logs
      WHERE id = r.id AND queue = r.queue
      ORDER BY run DESC, seq DESC OFFSET ${LIMITS.linesPerJob - 1} LIMIT 1
    ) AS oldest`;
}

/** Deletes lines before those. `$1`: what `overfullLogs` found, as JSON. */
export function cutLogs(schema: string): string {
  return `DELETE FROM ${schema}.logs AS l USING ${recordSet({ ...JOB, run: 'text', seq: 'int' }, 1)}
    WHERE l.id = r.id AND l.queue = r.queue AND (l.run, l.seq) < (r.run, r.seq)`;
}
