import type { LoadSample } from './gradient.ts';

/** One run, once its slot is free again. */
export interface SeenRun {
  /** When it got its slot, ms. */
  readonly startedAtMs: number;
  /** For how long it held it: what came before and after the handler is in it. */
  readonly slotMs: number;
  /** How long its handler took. */
  readonly runMs: number;
  /** One that failed says nothing of how long work takes, unless it ran over its timeout. */
  readonly outcome: 'succeeded' | 'timed-out' | 'failed';
  /** How many slots were taken when it ended, its own among them. */
  readonly busy: number;
}

/** Fewer ends would be noise; with more at once, each must have ended some times. */
const LEAST_RUNS = 30;
const RUNS_PER_SLOT = 3;
/** What stops a whole process for a moment must not be all that is seen. */
const LEAST_MS = 250;
const LATENCY_SHARE = 0.9;

/**
 * Looks at the runs of one level. Only those that end while all slots are taken count: with fewer jobs than slots there is
 * nothing to learn, and pauses between jobs must not look like slowness.
 */
export class LoadWindow {
  readonly level: number;
  readonly #sinceMs: number;
  #left: number;
  #slotMs = 0;
  #ends = 0;
  #succeeded = 0;
  readonly #runsMs: number[] = [];

  /** @param sinceMs what got its slot before then belongs to another level */
  constructor(level: number, sinceMs: number) {
    this.level = level;
    this.#sinceMs = sinceMs;
    // Those that begin beside runs of the level before are not typical of this one.
    this.#left = level;
  }

  add({ startedAtMs, slotMs, runMs, outcome, busy }: SeenRun): void {
    if (startedAtMs < this.#sinceMs || busy !== this.level) return;
    if (this.#left > 0) {
      this.#left -= 1;
      return;
    }
    this.#ends += 1;
    this.#slotMs += slotMs;
    if (outcome === 'succeeded') this.#succeeded += 1;
    if (outcome !== 'failed') this.#runsMs.push(runMs);
  }

  /** What was seen; undefined until that is enough. Throughput is 0 where most runs failed. */
  sample(nowMs: number): LoadSample | undefined {
    const { level } = this;
    const enough = Math.max(LEAST_RUNS, RUNS_PER_SLOT * level);
    if (this.#ends < enough || nowMs - this.#sinceMs < LEAST_MS) return undefined;
    const share = this.#succeeded / this.#ends;
    const meanMs = Math.max(this.#slotMs / this.#ends, Number.EPSILON);
    // By Little's law: pauses do not matter.
    const perSecond = share < 0.5 ? 0 : (share * level * 1_000) / meanMs;
    const sorted = this.#runsMs.sort((a, b) => a - b);
    const latencyMs = sorted[Math.ceil(LATENCY_SHARE * sorted.length) - 1] ?? 0;
    return { level, perSecond, latencyMs };
  }
}
