import type { CircuitEverywhere } from '@warren/history';
import type { Names } from '@warren/topology';
import { queuesOfType } from './replay-source.ts';

/** What a dead letter waits for before it is replayed. */
export interface HeldBy {
  readonly breaker: string;
  /** The job type or subscriber whose handlers would wait. */
  readonly type: string;
  /** In which its circuit is open. */
  readonly workers: number;
  /** ms since 1970, by the clock of the first of those. */
  readonly sinceMs: number;
}

/**
 * Which queues wait, by what workers tell of their circuits: those of job types and subscribers whose handlers need a
 * dependency that is cut off as a whole in any worker. One that is tried again holds nothing; nor does one of a key, since jobs
 * of others go on.
 */
export function heldQueues(
  circuits: readonly CircuitEverywhere[],
  names: Pick<Names, 'workQueue'>,
): ReadonlyMap<string, HeldBy> {
  const held = new Map<string, HeldBy>();
  for (const { breaker, key, state, sinceMs, queues, workers } of circuits) {
    if (state !== 'open' || key !== undefined) continue;
    const open = workers.filter((one) => one.state === 'open').length;
    for (const type of queues) {
      const by = { breaker, type, workers: open, sinceMs };
      for (const queue of queuesOfType(names.workQueue(type))) {
        if (!held.has(queue)) held.set(queue, by);
      }
    }
  }
  return held;
}

/** In a sentence of a person. */
export function heldByText({ breaker, type, workers, sinceMs }: HeldBy): string {
  const where = workers === 1 ? '1 worker' : `${workers} workers`;
  return `circuit ${breaker} of ${type} is open on ${where}, since ${new Date(sinceMs).toISOString()}`;
}

/** Knows what has to wait, by what it has heard last: to be asked before each letter. */
export class CircuitHold {
  readonly #names: Pick<Names, 'workQueue'>;
  readonly #listeners = new Set<() => void>();
  #held: ReadonlyMap<string, HeldBy> = new Map();

  constructor(names: Pick<Names, 'workQueue'>) {
    this.#names = names;
  }

  /** Takes what workers tell, all of it. */
  hear(circuits: readonly CircuitEverywhere[]): void {
    this.#held = heldQueues(circuits, this.#names);
    for (const listener of [...this.#listeners]) listener();
  }

  /** Does anything wait at all? */
  get isHolding(): boolean {
    return this.#held.size > 0;
  }

  /** What a letter for this queue, by its full name, waits for. */
  heldBy(queue: string): HeldBy | undefined {
    return this.#held.get(queue);
  }

  /** Calls it whenever something was heard, until the answer is called. */
  onNews(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
