import type { HistoryEvent, HistoryKind, JobState } from './event.ts';

/** What of an event decides which of two came later in the life of a job, whenever they were told. */
export interface OrderKey {
  readonly generation: number;
  /** 0 while it goes on, 1 when it ended, 2 when it was discarded after that. */
  readonly phase: 0 | 1 | 2;
  readonly attempt: number;
  readonly run: string;
  /** Within one run. Each state has its own, so that equal keys mean the same state. */
  readonly rank: number;
}

/** Where each kind of event leaves a job. Progress and log lines leave it where it is. */
const STATES: Readonly<Record<HistoryKind, JobState | undefined>> = {
  accepted: 'accepted',
  queued: 'queued',
  started: 'running',
  progress: undefined,
  log: undefined,
  retrying: 'retrying',
  succeeded: 'succeeded',
  dead: 'dead',
  cancelled: 'cancelled',
  expired: 'expired',
  interrupted: 'interrupted',
  replayed: 'queued',
  discarded: 'discarded',
};

const RANKS: Readonly<Record<JobState, number>> = {
  accepted: 0,
  scheduled: 1,
  queued: 2,
  running: 3,
  interrupted: 4,
  retrying: 5,
  succeeded: 6,
  cancelled: 7,
  expired: 8,
  dead: 9,
  discarded: 10,
};

const FIRST_TERMINAL_RANK = RANKS.succeeded;

/** Where an event leaves a job; undefined for what leaves it where it is. */
export function stateAfter(event: HistoryEvent): JobState | undefined {
  if (event.kind === 'queued' && (event.dueAtMs ?? 0) > event.atMs) return 'scheduled';
  return STATES[event.kind];
}

/** The place of an event among those of the same job; undefined for what does not change its state. */
export function orderKeyOf(event: HistoryEvent): OrderKey | undefined {
  const state = stateAfter(event);
  if (state === undefined) return undefined;
  const { generation, attempt, run } = event;
  return { generation, phase: phaseOf(state), attempt, run, rank: RANKS[state] };
}

/** Above 0 when `a` is the later one. Keys that are equal belong to the same state. Runs compare as bytes do. */
export function compareOrder(a: OrderKey, b: OrderKey): number {
  return (
    a.generation - b.generation ||
    a.phase - b.phase ||
    a.attempt - b.attempt ||
    compareRuns(a.run, b.run) ||
    a.rank - b.rank
  );
}

/** Whether a job in this state has ended; it can still be replayed. */
export function isTerminal(state: JobState): boolean {
  return RANKS[state] >= FIRST_TERMINAL_RANK;
}

/**
 * Where a job stands, by what is known of it: the same for any order of the events and however often each is repeated.
 * Undefined when none tells.
 */
export function stateOf(events: Iterable<HistoryEvent>): JobState | undefined {
  let state: JobState | undefined;
  let latest: OrderKey | undefined;
  for (const event of events) {
    const key = orderKeyOf(event);
    if (!key || (latest && compareOrder(key, latest) <= 0)) continue;
    latest = key;
    state = stateAfter(event);
  }
  return state;
}

function phaseOf(state: JobState): OrderKey['phase'] {
  if (state === 'discarded') return 2;
  return isTerminal(state) ? 1 : 0;
}

function compareRuns(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
