import type { LimitRule } from '@warren/contracts';
import { type GcraState, gcra, UNUSED } from '@warren/limiter';

const ONE = { wanted: 1, putOff: 0, maxPutOffMs: 0 };

/** Counts the requests of each caller, in this process. There are as many callers as keys were configured. */
export class KeyRates {
  readonly #ask;
  readonly #now: () => number;
  readonly #states = new Map<string, GcraState>();

  /** @param now in ms, of a clock that only goes forward */
  constructor(rule: LimitRule, now: () => number = () => performance.now()) {
    this.#ask = { ...rule, ...ONE };
    this.#now = now;
  }

  /** Counts a request. Returns 0 where it may be served, else in how many ms the next one may come: it is not counted. */
  take(name: string): number {
    const before = this.#states.get(name) ?? UNUSED;
    const { state, answer } = gcra(before, this.#ask, this.#now());
    this.#states.set(name, state);
    return answer.granted === 1 ? 0 : Math.max(1, answer.freeInMs);
  }
}
