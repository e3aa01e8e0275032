import { type HistoryEvent, orderKeyOf } from '@warren/history';
import { textOrNull, wholeNumber } from '../clean-text.ts';
import { compareText, type EventKey } from './fold-job.ts';
import { LIMITS } from './limits.ts';
import { errorText } from './state-of.ts';

/** A run as a row of the table. */
export interface AttemptRow {
  readonly id: string;
  readonly queue: string;
  readonly run: string;
  generation: number;
  attempt: number;
  worker: string | null;
  started_at_ms: number | null;
  outcome_rank: number;
  ended_at_ms: number;
  outcome: string;
  error: string | null;
  log_lines: number;
}

export function emptyAttemptRow(id: string, queue: string, key: EventKey): AttemptRow {
  return {
    id,
    queue,
    run: key.run,
    generation: key.generation,
    attempt: key.attempt,
    worker: null,
    started_at_ms: null,
    outcome_rank: 0,
    ended_at_ms: 0,
    outcome: '',
    error: null,
    log_lines: 0,
  };
}

/** Puts an event of a run into the run's row; as with jobs, neither order nor repetition matter. */
export function foldAttempt(row: AttemptRow, event: HistoryEvent, key: EventKey): void {
  row.generation = Math.max(row.generation, key.generation);
  row.attempt = Math.max(row.attempt, key.attempt);
  if (event.kind === 'log') {
    row.log_lines = Math.max(row.log_lines, wholeNumber(event.seq, LIMITS.integer));
  }
  if (event.kind === 'started') {
    const worker = textOrNull(event.worker, LIMITS.nameBytes);
    if (row.worker === null || (worker !== null && worker < row.worker)) row.worker = worker;
    row.started_at_ms = Math.min(row.started_at_ms ?? key.atMs, key.atMs);
  }
  foldOutcome(row, event, key);
}

function foldOutcome(row: AttemptRow, event: HistoryEvent, key: EventKey): void {
  const outcome = outcomeOf(event);
  const rank = orderKeyOf(event)?.rank;
  if (outcome === undefined || rank === undefined) return;
  const order =
    rank - row.outcome_rank || key.atMs - row.ended_at_ms || compareText(outcome, row.outcome);
  if (order <= 0) return;
  row.outcome_rank = rank;
  row.ended_at_ms = key.atMs;
  row.outcome = outcome;
  row.error = 'error' in event ? errorText(event.error) : null;
}

/** Undefined for an event that ends no run. */
function outcomeOf(event: HistoryEvent): string | undefined {
  switch (event.kind) {
    case 'retrying':
      return event.isSpent ? 'failed' : 'snoozed';
    case 'succeeded':
    case 'dead':
    case 'cancelled':
    case 'expired':
    case 'interrupted':
      return event.kind;
    default:
      return undefined;
  }
}
