import { type HistoryEvent, orderKeyOf, stateAfter } from '@warren/history';
import { cutText, textOrNull, wholeNumber } from '../clean-text.ts';
import type { JobRow, RunKey, StateKey } from './job-row.ts';
import { LIMITS } from './limits.ts';
import { detailsOf, isStateEvent } from './state-of.ts';

/** What of an event is used again and again, already within the bounds. */
export interface EventKey {
  readonly atMs: number;
  readonly generation: number;
  readonly attempt: number;
  readonly run: string;
}

const STATE_KEY = ['generation', 'phase', 'attempt', 'run', 'rank', 'at_ms'] as const;
const RUN_KEY = ['run_generation', 'run_attempt', 'run_id'] as const;

/**
 * Puts an event into its job's row: acceptances into a provisional one, others into one that is not. The order of events makes
 * no difference, nor does a repetition: columns are merged by the least, the greatest, or from whichever event is newer by the
 * order of events. The statement that writes rows merges by the same rules.
 */
export function foldJob(row: JobRow, event: HistoryEvent, key: EventKey): void {
  // Hardly ever: where a second message has the same id, and names another type or none.
  if (event.type !== row.type) row.type = lesser(row.type, cutText(event.type, LIMITS.nameBytes));
  row.created_at_ms = Math.min(row.created_at_ms, key.atMs);
  row.updated_at_ms = Math.max(row.updated_at_ms, key.atMs);
  if (event.kind === 'accepted' || event.kind === 'queued') {
    row.service = least(row.service, textOrNull(event.service, LIMITS.nameBytes));
    row.correlation_id = least(
      row.correlation_id,
      textOrNull(event.correlationId, LIMITS.nameBytes),
    );
  }
  if (event.kind === 'queued' && event.createdAtMs !== undefined) {
    const createdAtMs = wholeNumber(event.createdAtMs, LIMITS.timeMs);
    row.created_at_ms = Math.min(row.created_at_ms, createdAtMs);
  }
  foldState(row, event, key);
  if (key.run !== '') foldRun(row, event, key);
}

function foldState(row: JobRow, event: HistoryEvent, { atMs, ...key }: EventKey): void {
  const order = orderKeyOf(event);
  const state = stateAfter(event);
  if (order === undefined || state === undefined || !isStateEvent(event)) return;
  const candidate: StateKey = { ...key, phase: order.phase, rank: order.rank, at_ms: atMs };
  if (compare(candidate, row, STATE_KEY) <= 0) return;
  Object.assign(row, candidate, { state }, detailsOf(event, state));
}

function foldRun(row: JobRow, event: HistoryEvent, key: EventKey): void {
  const candidate: RunKey = {
    run_generation: key.generation,
    run_attempt: key.attempt,
    run_id: key.run,
  };
  const order = compare(candidate, row, RUN_KEY);
  if (order < 0) return;
  if (order > 0) Object.assign(row, NO_RUN, candidate);
  if (event.kind === 'started') {
    row.run_worker = least(row.run_worker, textOrNull(event.worker, LIMITS.nameBytes));
    row.run_started_at_ms = Math.min(row.run_started_at_ms ?? key.atMs, key.atMs);
  }
  if (event.kind === 'progress') foldProgress(row, event, key.atMs);
}

const NO_RUN = {
  run_worker: null,
  run_started_at_ms: null,
  progress_at_ms: null,
  progress_fraction: null,
  progress_message: null,
};

/** The later one; of two in the same millisecond the further one. */
function foldProgress(
  row: JobRow,
  event: Extract<HistoryEvent, { kind: 'progress' }>,
  atMs: number,
): void {
  const fraction = Math.min(Math.max(Number(event.fraction) || 0, 0), 1);
  const message = textOrNull(event.message, LIMITS.messageBytes) ?? '';
  const order =
    atMs - (row.progress_at_ms ?? -1) ||
    fraction - (row.progress_fraction ?? -1) ||
    compareText(message, row.progress_message ?? '');
  if (order <= 0) return;
  row.progress_at_ms = atMs;
  row.progress_fraction = fraction;
  row.progress_message = message;
}

function compare<Key extends keyof JobRow>(
  a: Pick<JobRow, Key>,
  b: Pick<JobRow, Key>,
  keys: readonly Key[],
): number {
  for (const key of keys) {
    const order = compareValues(a[key], b[key]);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(a: string | number | null, b: string | number | null): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return compareText(String(a), String(b));
}

/** As collation "C" has it, for texts that the comparison meets: ids and names. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function least(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return lesser(a, b);
}

function lesser(a: string, b: string): string {
  return compareText(a, b) <= 0 ? a : b;
}

export function eventKey(event: HistoryEvent, run: string): EventKey {
  return {
    atMs: wholeNumber(event.atMs, LIMITS.timeMs),
    generation: wholeNumber(event.generation, LIMITS.integer),
    attempt: wholeNumber(event.attempt, LIMITS.integer),
    run,
  };
}
