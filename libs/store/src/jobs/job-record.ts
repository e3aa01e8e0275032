import type { ErrorSummary, JobState } from '@warren/history';
import { type DoubtRow, doubtOf, doubtSelect } from '../projection/doubt.ts';
import type { JobRow } from '../projection/job-row.ts';
import { JOB_COLUMNS } from '../projection/upsert-jobs.ts';
import { columnList } from '../record-set.ts';
import type { SchemaNames } from '../schema-names.ts';
import type { JobRecord } from './types.ts';

/** A job as readers select it. */
export type SeenJobRow = JobRow & DoubtRow;

/** What readers select, of a row of jobs named `j`. */
export function jobSelect(schemas: SchemaNames): string {
  return `${columnList(JOB_COLUMNS)}, ${doubtSelect(schemas)}`;
}

/** A row as readers see it. */
export function jobRecord(row: SeenJobRow): JobRecord {
  const isRunKnown = row.run_generation >= row.generation;
  return {
    id: row.id,
    queue: row.queue,
    type: row.type,
    state: row.state as JobState,
    generation: Math.max(row.generation, row.run_generation, 0),
    attempt: row.generation < 0 ? row.run_attempt : row.attempt,
    createdAtMs: row.created_at_ms,
    startedAtMs: isRunKnown ? (row.run_started_at_ms ?? undefined) : undefined,
    finishedAtMs: row.finished_at_ms ?? undefined,
    dueAtMs: row.due_at_ms ?? undefined,
    updatedAtMs: row.updated_at_ms,
    progress: progressOf(row),
    error: errorOf(row.error),
    reason: row.reason ?? undefined,
    uncertain: doubtOf(row),
    ...resultOf(row),
    correlationId: row.correlation_id ?? undefined,
    service: row.service ?? undefined,
    worker: isRunKnown ? (row.run_worker ?? undefined) : undefined,
  };
}

/** Of the run that the state is about, or of a later one. */
function progressOf(row: JobRow): JobRecord['progress'] {
  if (row.progress_fraction === null || row.run_generation < row.generation) return undefined;
  if (row.run !== '' && row.run_generation === row.generation && row.run_id < row.run) {
    return undefined;
  }
  return { fraction: row.progress_fraction, message: row.progress_message || undefined };
}

export function errorOf(text: string | null): ErrorSummary | undefined {
  return text === null ? undefined : (JSON.parse(text) as ErrorSummary);
}

/** Workers send JSON; what is none is told as such. */
function resultOf({ result, result_problem }: JobRow): Pick<JobRecord, 'result' | 'resultProblem'> {
  if (result === null) return { result: undefined, resultProblem: result_problem ?? undefined };
  try {
    return { result: JSON.parse(result), resultProblem: result_problem ?? undefined };
  } catch {
    return { result: undefined, resultProblem: 'the result is no JSON' };
  }
}
