import type { BenchPayload } from '../payload.ts';
import { closingAll } from '../systems/closing-all.ts';
import type { JobSystem } from '../systems/system.ts';

/** What a round does. */
export interface Workload {
  /** Jobs, for a system whose share is 1. */
  readonly count: number;
  /** Handlers at once. */
  readonly concurrency: number;
  readonly payload: BenchPayload;
  /** What each handler takes of the processor; without it they do nothing. Only of those in a process of their own. */
  readonly handlerMs?: number;
}

/** The jobs of one round of a system. */
export function countOf({ count }: Pick<Workload, 'count'>, { share }: JobSystem): number {
  return Math.ceil(count * share);
}

/** Runs `work` with a system whose queue is empty, and ends and removes everything afterwards, whatever became of it. */
export async function onFreshQueue<Result>(
  system: JobSystem,
  work: (system: JobSystem) => Promise<Result>,
): Promise<Result> {
  try {
    await system.prepare();
    return await closingAll(system, work);
  } finally {
    await system.dispose();
  }
}

/** How often a second something happened that began at `startedAt`, by `performance.now()`. */
export function perSecond(count: number, startedAt: number, endedAt = performance.now()): number {
  return count / ((endedAt - startedAt) / 1_000);
}

/** A handler's work that resolves `reached` with when the last of `goal` jobs was handled, by `performance.now()`. */
export function countTo(goal: number): {
  readonly count: () => void;
  readonly reached: Promise<{ firstAt: number; lastAt: number }>;
} {
  let counted = 0;
  let firstAt = 0;
  let onReached: (times: { firstAt: number; lastAt: number }) => void = () => {};
  const reached = new Promise<{ firstAt: number; lastAt: number }>((resolve) => {
    onReached = resolve;
  });
  const count = () => {
    counted += 1;
    if (counted === 1) firstAt = performance.now();
    if (counted !== goal) return;
    const lastAt = performance.now();
    // What settles the last jobs is written in this turn of the event loop.
    setImmediate(() => onReached({ firstAt, lastAt }));
  };
  return { count, reached };
}
