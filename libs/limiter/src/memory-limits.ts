import { type GcraState, gcra, UNUSED } from './gcra.ts';
import type { LimitAnswer, LimitRequest, LimitsPort } from './limits-port.ts';

const SWEEP_FROM = 1_000;

/** Counts limits of one process, by its clock that only goes forward. Keeps only keys that were used lately. */
export class MemoryLimits implements LimitsPort {
  readonly #states = new Map<string, GcraState>();
  readonly #now: () => number;
  #sweepAt = SWEEP_FROM;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get size(): number {
    return this.#states.size;
  }

  async ask(requests: readonly LimitRequest[]): Promise<readonly LimitAnswer[]> {
    const nowMs = this.#now();
    if (this.#states.size >= this.#sweepAt) this.#sweep(nowMs);
    return requests.map((request) => {
      const id = JSON.stringify([request.name, request.key]);
      const { state, answer } = gcra(this.#states.get(id) ?? UNUSED, request, nowMs);
      this.#states.set(id, state);
      return answer;
    });
  }

  /** Those that are as if they had never been used; again when there are twice as many as remain. */
  #sweep(nowMs: number): void {
    for (const [id, { fullAtMs, putOffToMs }] of this.#states) {
      if (fullAtMs <= nowMs && putOffToMs <= nowMs) this.#states.delete(id);
    }
    this.#sweepAt = Math.max(SWEEP_FROM, this.#states.size * 2);
  }
}
