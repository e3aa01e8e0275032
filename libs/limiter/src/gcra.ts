import type { LimitRule } from '@warren/contracts';
import type { LimitAnswer } from './limits-port.ts';

/** What is remembered of a key. Both are times of one clock, in ms. */
export interface GcraState {
  /** When the burst would be whole again: the later, the more was granted. */
  readonly fullAtMs: number;
  /** Up to when jobs were put off: the next ones come after them. */
  readonly putOffToMs: number;
  /** Of the rule that it was asked by last. */
  readonly intervalMs: number;
}

/** What is remembered of a key that was never used. */
export const UNUSED: GcraState = { fullAtMs: 0, putOffToMs: 0, intervalMs: 0 };

/** What is asked of a key at once. */
export interface GcraAsk extends LimitRule {
  readonly wanted: number;
  readonly putOff: number;
  readonly maxPutOffMs: number;
}

/** What is whole but for the error of floating-point numbers is whole: a full burst must never look empty. */
const ROUNDING = 1e-6;

/**
 * The generic cell rate algorithm, for several cells at once: in any stretch of time at most `burst` more are granted than
 * one for each interval. Pure; the store's statement says the same in SQL.
 */
export function gcra(
  before: GcraState,
  { intervalMs, burst, wanted, putOff, maxPutOffMs }: GcraAsk,
  nowMs: number,
): { readonly state: GcraState; readonly answer: LimitAnswer } {
  const wholeMs = burst * intervalMs;
  // A debt of an earlier, slower rule is cut to what this one can make.
  const beforeMs = Math.max(nowMs, Math.min(before.fullAtMs, nowMs + wholeMs));
  const free = Math.floor((wholeMs - (beforeMs - nowMs)) / intervalMs + ROUNDING);
  const granted = Math.min(wanted, free);
  const afterMs = beforeMs + granted * intervalMs;
  const freeInMs = Math.max(0, afterMs - nowMs + intervalMs - wholeMs);
  // So are the turns of those that were put off by it: none of the next ones waits for times that nobody needs any more.
  const shorter = Math.min(1, intervalMs / (before.intervalMs || intervalMs));
  const putOffToMs = nowMs + (before.putOffToMs - nowMs) * shorter;
  const latestMs = nowMs + maxPutOffMs;
  const fromMs = Math.min(Math.max(putOffToMs, nowMs + freeInMs), latestMs);
  return {
    state: {
      fullAtMs: afterMs,
      putOffToMs: putOff > 0 ? Math.min(fromMs + putOff * intervalMs, latestMs) : putOffToMs,
      intervalMs,
    },
    answer: { granted, left: free - granted, freeInMs, putOffInMs: fromMs - nowMs },
  };
}
