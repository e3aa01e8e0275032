import { MAX_DELAY_MS } from '@warren/contracts';

/**
 * A delay that the retry tiers can travel: whole milliseconds from 0 to 24 h. What is negative becomes 0, what
 * is longer 24 h; undefined for what is no number.
 */
export function clampDelayMs(delayMs: unknown): number | undefined {
  if (typeof delayMs !== 'number' || Number.isNaN(delayMs)) return undefined;
  return Math.ceil(Math.min(Math.max(delayMs, 0), MAX_DELAY_MS));
}
