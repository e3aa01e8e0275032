import { AdaptiveLevel, type AdaptiveLevelOptions } from './adaptive-level.ts';
import type { SeenRun } from './load-window.ts';

/** Random numbers from 0 to 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What the handlers call: how long a call takes while so many are under way, on average, ms. */
export type Dependency = (calls: number, nowMs: number) => number;

/** How a simulation went. */
export interface Simulated {
  /** What was run at once, at the end of each simulated second. */
  readonly levels: readonly number[];
  /** Jobs done in each simulated second. */
  readonly done: readonly number[];
}

interface Call {
  readonly startedAtMs: number;
  /** What is left of it, as a share. */
  left: number;
  readonly weight: number;
}

const STEP_MS = 2;

/**
 * Runs a queue that never ends on a level that finds itself, in simulated time: calls progress together, each as fast as the
 * dependency lets it while so many are under way. Their sizes are exponentially distributed, as wild as a real mix.
 */
export function simulate(options: {
  readonly bounds: AdaptiveLevelOptions['bounds'];
  readonly dependency: Dependency;
  readonly seconds: number;
  readonly seed: number;
  /** Another job comes so often, a whole number of steps of 2 ms; default: there are always enough. */
  readonly arrivalEveryMs?: number;
  readonly fails?: (nowMs: number) => boolean;
}): Simulated {
  const random = randomFrom(options.seed);
  let nowMs = 0;
  const level = new AdaptiveLevel({
    bounds: options.bounds,
    onLevel: () => {},
    now: () => nowMs,
  });
  const calls = new Set<Call>();
  const levels: number[] = [];
  const done: number[] = [];
  let waiting = options.arrivalEveryMs === undefined ? Number.POSITIVE_INFINITY : 0;
  let doneNow = 0;
  const fill = () => {
    while (waiting > 0 && calls.size < level.level.concurrency) {
      waiting -= 1;
      calls.add({ startedAtMs: nowMs, left: 1, weight: -Math.log(1 - random()) });
    }
  };
  const end = (call: Call) => {
    const busy = calls.size;
    calls.delete(call);
    const isFailed = options.fails?.(nowMs) ?? false;
    if (!isFailed) doneNow += 1;
    const ms = nowMs - call.startedAtMs;
    const outcome: SeenRun['outcome'] = isFailed ? 'failed' : 'succeeded';
    fill();
    level.ended({ startedAtMs: call.startedAtMs, slotMs: ms, runMs: ms, outcome, busy });
  };
  for (let second = 0; second < options.seconds; second += 1) {
    for (let step = 0; step < 1_000 / STEP_MS; step += 1) {
      if (options.arrivalEveryMs !== undefined && nowMs % options.arrivalEveryMs === 0)
        waiting += 1;
      fill();
      nowMs += STEP_MS;
      const usualMs = options.dependency(calls.size, nowMs);
      for (const call of [...calls]) {
        call.left -= STEP_MS / (usualMs * call.weight);
        if (call.left <= 0) end(call);
      }
    }
    levels.push(level.level.concurrency);
    done.push(doneNow);
    doneNow = 0;
  }
  return { levels, done };
}

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
