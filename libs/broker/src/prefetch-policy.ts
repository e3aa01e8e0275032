/** Bounds of a consumer's prefetch. Equal bounds mean a fixed prefetch. */
export interface PrefetchRange {
  readonly min: number;
  readonly max: number;
}

/** Prefetch hides the way to the broker and back if it covers this much work. */
const COVER_SECONDS = 0.1;

/** Smaller changes are not worth a new consumer. */
const WORTHWHILE = 2;

/**
 * The prefetch to use next: enough to cover 100 ms of work at the measured rate, within the range; unchanged unless it
 * is off by a factor of two, or by a fifth where a bound calls for less. Fast handlers get the most, slow ones keep
 * little that others could run.
 */
export function nextPrefetch(
  current: number,
  settledPerSecond: number,
  { min, max }: PrefetchRange,
): number {
  // Rounded only at the end: between 1 and 2 a rounding is half of everything.
  const wanted = Math.min(max, Math.max(min, settledPerSecond * COVER_SECONDS));
  const isFarOff = wanted >= current * WORTHWHILE || wanted * WORTHWHILE <= current;
  const isAtBound = (wanted === max || wanted === min) && wanted * 1.2 < current;
  return isFarOff || isAtBound ? Math.ceil(wanted) : current;
}
