import type { JobState } from '@warren/history';

/** A job as a row of the table; names are those of the columns. */
export interface JobRow {
  readonly id: string;
  readonly queue: string;
  type: string;
  created_at_ms: number;
  updated_at_ms: number;
  service: string | null;
  correlation_id: string | null;
  generation: number;
  phase: number;
  attempt: number;
  run: string;
  rank: number;
  at_ms: number;
  state: string;
  due_at_ms: number | null;
  finished_at_ms: number | null;
  error: string | null;
  reason: string | null;
  result: string | null;
  result_problem: string | null;
  run_generation: number;
  run_attempt: number;
  run_id: string;
  run_worker: string | null;
  run_started_at_ms: number | null;
  progress_at_ms: number | null;
  progress_fraction: number | null;
  progress_message: string | null;
}

/** What a job's state rests on: the greatest event by these, in this order. */
export type StateKey = Pick<JobRow, 'generation' | 'phase' | 'attempt' | 'run' | 'rank' | 'at_ms'>;

/** What comes with the state. */
export type StateDetails = Pick<
  JobRow,
  'due_at_ms' | 'finished_at_ms' | 'error' | 'reason' | 'result' | 'result_problem'
>;

/** The order of runs. */
export type RunKey = Pick<JobRow, 'run_generation' | 'run_attempt' | 'run_id'>;

/**
 * Whether the row says only that somebody accepted the job. Whoever accepts it writes that, and the history does not tell it: so
 * the first thing that is told replaces such a row, and a later acceptance changes nothing. A rebuild would lack it.
 */
export function isProvisional({ state }: Pick<JobRow, 'state'>): boolean {
  return state === PROVISIONAL_STATE;
}

/** The state that no event of the history leads to. */
export const PROVISIONAL_STATE = 'accepted' satisfies JobState;

/** A row that knows nothing yet: anything is newer. */
export function emptyJobRow(id: string, queue: string, type: string, atMs: number): JobRow {
  return {
    id,
    queue,
    type,
    created_at_ms: atMs,
    updated_at_ms: atMs,
    service: null,
    correlation_id: null,
    generation: -1,
    phase: 0,
    attempt: 0,
    run: '',
    rank: 0,
    at_ms: 0,
    // Progress and lines tell no state, but that it runs.
    state: 'running',
    due_at_ms: null,
    finished_at_ms: null,
    error: null,
    reason: null,
    result: null,
    result_problem: null,
    run_generation: -1,
    run_attempt: 0,
    run_id: '',
    run_worker: null,
    run_started_at_ms: null,
    progress_at_ms: null,
    progress_fraction: null,
    progress_message: null,
  };
}
