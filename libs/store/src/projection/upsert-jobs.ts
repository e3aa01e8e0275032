import { type Columns, columnList, recordSet } from '../record-set.ts';
import { type JobRow, PROVISIONAL_STATE } from './job-row.ts';

export const JOB_COLUMNS: Columns<JobRow> = {
  id: 'text',
  queue: 'text',
  type: 'text',
  created_at_ms: 'bigint',
  updated_at_ms: 'bigint',
  service: 'text',
  correlation_id: 'text',
  generation: 'int',
  phase: 'smallint',
  attempt: 'int',
  run: 'text',
  rank: 'smallint',
  at_ms: 'bigint',
  state: 'text',
  due_at_ms: 'bigint',
  finished_at_ms: 'bigint',
  error: 'text',
  reason: 'text',
  result: 'text',
  result_problem: 'text',
  run_generation: 'int',
  run_attempt: 'int',
  run_id: 'text',
  run_worker: 'text',
  run_started_at_ms: 'bigint',
  progress_at_ms: 'bigint',
  progress_fraction: 'float8',
  progress_message: 'text',
};

const STATE = [
  'generation',
  'phase',
  'attempt',
  'run',
  'rank',
  'at_ms',
  'state',
  'due_at_ms',
  'finished_at_ms',
  'error',
  'reason',
  'result',
  'result_problem',
];
const RUN_KEY = ['run_generation', 'run_attempt', 'run_id'];
const PROGRESS = ['progress_at_ms', 'progress_fraction', 'progress_message'];

/** Rows by what the history tells, not by an acceptance alone: see `isProvisional`. */
const IS_TOLD = `(j.state <> '${PROVISIONAL_STATE}')`;
const TELLS = `(excluded.state <> '${PROVISIONAL_STATE}')`;

const STATE_KEY = ['generation', 'phase', 'attempt', 'run', 'rank', 'at_ms'];
const IS_NEWER = `(${TELLS}, ${columnsOf('excluded', STATE_KEY)}) > (${IS_TOLD}, ${columnsOf('j', STATE_KEY)})`;
const IS_NEWER_RUN = isGreater(RUN_KEY);
const IS_FURTHER = `${isGreater(RUN_KEY)} OR (${rowOf('excluded', RUN_KEY)} = ${rowOf('j', RUN_KEY)}
  AND (coalesce(excluded.progress_at_ms, -1), coalesce(excluded.progress_fraction, -1), coalesce(excluded.progress_message, ''))
    > (coalesce(j.progress_at_ms, -1), coalesce(j.progress_fraction, -1), coalesce(j.progress_message, '')))`;

/** The rules of `foldJob` in SQL, for the row that is there (`j`) and the one that comes (`excluded`). */
const MERGE = [
  ...['type', 'created_at_ms', 'service', 'correlation_id'].map((column) => told('least', column)),
  told('greatest', 'updated_at_ms'),
  ...STATE.map((column) => newer(IS_NEWER, column)),
  ...RUN_KEY.map((column) => newer(IS_NEWER_RUN, column)),
  ...['run_worker', 'run_started_at_ms'].map(
    (column) => `${column} = CASE WHEN ${IS_NEWER_RUN} THEN excluded.${column}
      WHEN ${rowOf('excluded', RUN_KEY)} = ${rowOf('j', RUN_KEY)} THEN least(j.${column}, excluded.${column})
      ELSE j.${column} END`,
  ),
  ...PROGRESS.map((column) => newer(IS_FURTHER, column)),
].join(',\n  ');

/** What follows `INSERT INTO <table> AS j (…) SELECT …`. */
export const ON_JOB_CONFLICT = `ON CONFLICT (id, queue) DO UPDATE SET\n  ${MERGE}`;

/** Writes rows of jobs, each merged with what is known. `$1`: the rows as JSON. */
export function upsertJobs(schema: string): string {
  return `INSERT INTO ${schema}.jobs AS j (${columnList(JOB_COLUMNS)})
    SELECT ${columnList(JOB_COLUMNS)} FROM ${recordSet(JOB_COLUMNS, 1)}
    ${ON_JOB_CONFLICT}`;
}

function isGreater(key: readonly string[]): string {
  return `${rowOf('excluded', key)} > ${rowOf('j', key)}`;
}

function rowOf(table: string, key: readonly string[]): string {
  return `(${columnsOf(table, key)})`;
}

function columnsOf(table: string, key: readonly string[]): string {
  return key.map((column) => `${table}.${column}`).join(', ');
}

/** Of two rows of the same kind the least or the greatest, else that of the one that the history tells. */
function told(merge: 'least' | 'greatest', column: string): string {
  return `${column} = CASE WHEN ${TELLS} = ${IS_TOLD} THEN ${merge}(j.${column}, excluded.${column})
    WHEN ${TELLS} THEN excluded.${column} ELSE j.${column} END`;
}

function newer(condition: string, column: string): string {
  return `${column} = CASE WHEN ${condition} THEN excluded.${column} ELSE j.${column} END`;
}
