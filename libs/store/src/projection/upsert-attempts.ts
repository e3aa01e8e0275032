import { type Columns, columnList, recordSet } from '../record-set.ts';
import type { AttemptRow } from './fold-attempt.ts';

const COLUMNS: Columns<AttemptRow> = {
  id: 'text',
  queue: 'text',
  run: 'text',
  generation: 'int',
  attempt: 'int',
  worker: 'text',
  started_at_ms: 'bigint',
  outcome_rank: 'smallint',
  ended_at_ms: 'bigint',
  outcome: 'text',
  error: 'text',
  log_lines: 'int',
};

const IS_NEWER = `(excluded.outcome_rank, excluded.ended_at_ms, excluded.outcome)
  > (a.outcome_rank, a.ended_at_ms, a.outcome)`;

/** Writes rows of runs, each merged by the rules of `foldAttempt`. `$1`: the rows as JSON. */
export function upsertAttempts(schema: string): string {
  return `INSERT INTO ${schema}.attempts AS a (${columnList(COLUMNS)})
    SELECT ${columnList(COLUMNS)} FROM ${recordSet(COLUMNS, 1)}
    ON CONFLICT (id, queue, run) DO UPDATE SET
      generation = greatest(a.generation, excluded.generation),
      attempt = greatest(a.attempt, excluded.attempt),
      worker = least(a.worker, excluded.worker),
      started_at_ms = least(a.started_at_ms, excluded.started_at_ms),
      log_lines = greatest(a.log_lines, excluded.log_lines),
      ${['outcome_rank', 'ended_at_ms', 'outcome', 'error'].map(newer).join(',\n      ')}`;
}

function newer(column: string): string {
  return `${column} = CASE WHEN ${IS_NEWER} THEN excluded.${column} ELSE a.${column} END`;
}
