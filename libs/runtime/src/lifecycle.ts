import { ShuttingDownError } from '@warren/contracts';
import { withDeadline } from './deadline.ts';
import type { Service } from './service.ts';

export interface LifecycleSteps {
  /** Names the service in errors. */
  readonly name: string;
  /** `signal` aborts when `stop` is called meanwhile: give up, a broker that is down may stay so. */
  readonly start: (signal: AbortSignal) => Promise<void>;
  /** First phase of a stop: take nothing new. Runs also after a start that failed half-way. */
  readonly quiesce?: (remainingMs: number) => Promise<void>;
  /**
   * Second phase: finish what is in hand within `remainingMs`, then abort the rest and close, for which it has
   * another CLOSING_MS. Runs even when the first phase failed.
   */
  readonly drain: (remainingMs: number) => Promise<void>;
  /** Bound of a whole stop, but for closing. The first phase may take half of it. */
  readonly graceMs: number;
}

/** What closing may take on top of the grace time. Less than what `runService` allows. */
export const CLOSING_MS = 3_000;

/**
 * `start` and `stop` that may be called twice, at once and in any order: each step runs at most once, and
 * every caller gets the same promise.
 *
 * `stop` before `start`: nothing runs, and `start` rejects. `stop` during `start`: the start is aborted and
 * awaited, at most half the grace time, then both phases run. `stop` rejects with the first failure of its
 * phases, after all of them were tried; a phase that takes too long fails with StopTimeoutError.
 */
export function createLifecycle(steps: LifecycleSteps): Pick<Service, 'start' | 'stop'> {
  const aborter = new AbortController();
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  return {
    start() {
      starting ??= stopping
        ? Promise.reject(new ShuttingDownError(steps.name))
        : begin(steps, aborter.signal);
      return starting;
    },
    stop() {
      if (!stopping) {
        aborter.abort(new ShuttingDownError(steps.name));
        stopping = starting ? end(steps, starting) : Promise.resolve();
      }
      return stopping;
    },
  };
}

/** Async, so that a step that throws at once rejects as well. */
async function begin(steps: LifecycleSteps, signal: AbortSignal): Promise<void> {
  await steps.start(signal);
  signal.throwIfAborted();
}

async function end({ name, quiesce, drain, graceMs }: LifecycleSteps, starting: Promise<void>) {
  const endsAt = performance.now() + graceMs;
  const remainingMs = () => Math.max(0, Math.round(endsAt - performance.now()));
  const failures: unknown[] = [];
  const phase = async (title: string, limitMs: number, run: () => Promise<void>) => {
    try {
      await withDeadline(`${name}: ${title}`, limitMs, run());
    } catch (error) {
      failures.push(error);
    }
  };
  // Whoever called start() hears of its failure; here it only has to be over.
  const started = starting.catch(() => undefined);
  await phase('start', graceMs / 2, () => started);
  if (quiesce) {
    const limitMs = remainingMs() / 2;
    await phase('stop taking', limitMs, () => quiesce(limitMs));
  }
  const drainMs = remainingMs();
  await phase('drain', drainMs + CLOSING_MS, () => drain(drainMs));
  if (failures.length > 0) throw failures[0];
}
