import { ConfigInvalidError, MAX_DELAY_MS } from '@warren/contracts';
import { clampDelayMs } from './clamp-delay.ts';

/** Waits that are this much too short are good enough, unless the delay is exact. */
const TOLERANCE_MS = 250;
const TOLERANCE_RATIO = 0.05;

/** How far clocks may differ before a time that is too far ahead counts as nonsense. */
const CLOCK_SLACK_MS = 3_600_000;

/** The first stretch of a delay. */
export interface PlannedHop {
  /** The tier to wait in first. */
  readonly tierMs: number;
  /** When the wait may end, ms since 1970; absent where the tier alone is long enough. */
  readonly notBeforeMs?: number;
}

/**
 * Plans a delay as hops through tiers: the first is the greatest tier that is not longer than the delay (for a
 * delay shorter than every tier, the smallest), and `nextHop` finds each further one. What the tolerance
 * allows is taken off `notBeforeMs` here, so that a reader needs none.
 *
 * With `RETRY_TIERS`, punctual tiers and equal clocks a delay takes at most 18 hops, ends no later than
 * `delayMs` plus the smallest tier, and no earlier than `delayMs` less the tolerance of 250 ms or 5 % (the
 * greater), or no earlier than `delayMs` where it is exact. Delays over 24 h count as 24 h, NaN as 0.
 * @param tiersMs ascending
 * @throws ConfigInvalidError when there is no tier
 */
export function planHop(options: {
  readonly delayMs: number;
  /** Never early, as for Retry-After or a run at a given time. */
  readonly exact: boolean;
  readonly nowMs: number;
  readonly tiersMs: readonly number[];
}): PlannedHop {
  const delayMs = clampDelayMs(options.delayMs) ?? 0;
  const tierMs = tierFor(delayMs, options.tiersMs);
  const dueMs = Math.ceil(options.nowMs + delayMs);
  if (options.exact) return { tierMs, notBeforeMs: dueMs };
  const toleranceMs = Math.floor(Math.max(TOLERANCE_MS, delayMs * TOLERANCE_RATIO));
  return tierMs >= delayMs - toleranceMs
    ? { tierMs }
    : { tierMs, notBeforeMs: dueMs - toleranceMs };
}

/**
 * The next hop of a message that left a tier, or undefined when it is due.
 * A time that nobody plans, NaN or more than 24 h and an hour of clock difference ahead, counts as absent, so
 * the message is due: it must not travel for ever.
 * @param tiersMs ascending
 * @throws ConfigInvalidError when there is no tier
 */
export function nextHop(options: {
  readonly notBeforeMs: number;
  readonly nowMs: number;
  readonly tiersMs: readonly number[];
}): { readonly tierMs: number } | undefined {
  const remainingMs = options.notBeforeMs - options.nowMs;
  if (!(remainingMs > 0) || remainingMs > MAX_DELAY_MS + CLOCK_SLACK_MS) return undefined;
  return { tierMs: tierFor(remainingMs, options.tiersMs) };
}

function tierFor(delayMs: number, tiersMs: readonly number[]): number {
  const tierMs = tiersMs.findLast((tier) => tier <= delayMs) ?? tiersMs[0];
  if (tierMs === undefined) throw new ConfigInvalidError('tiersMs', 'expected at least one tier');
  return tierMs;
}
