/** Bounds of a consumer's prefetch. Equal bounds mean a fixed prefetch. */
export interface PrefetchRange {
  readonly min: number;
  readonly max: number;
}

/** Prefetch hides the way to the broker and back if it covers this much work. */
const COVER_SECONDS = 0.1;

/**
 * So many ways to the broker and back are covered where that is more. With instant handlers what is out comes back once in each:
 * covering one, the rate would never ask for more. How long one takes is known from when the consumer was begun, and may be
 * several times as long by now.
 */
const COVER_ROUND_TRIPS = 8;
const MAX_COVER_SECONDS = 2;

/** Smaller changes are not worth a new consumer. */
const WORTHWHILE = 2;

/**
 * The prefetch to use next: enough to cover 100 ms of work at the measured rate, or eight round trips to the broker if they take
 * longer, within the range; unchanged unless it
 * is off by a factor of two, or by a fifth where a bound calls for less. Fast handlers get the most, slow ones keep
 * little that others could run.
 */
export function nextPrefetch(
  current: number,
  settledPerSecond: number,
  { min, max }: PrefetchRange,
  roundTripSeconds = 0,
): number {
  const coverSeconds = Math.max(
    COVER_SECONDS,
    Math.min(MAX_COVER_SECONDS, roundTripSeconds * COVER_ROUND_TRIPS),
  );
  // Rounded only at the end: between 1 and 2 a rounding is half of everything.
  const wanted = Math.min(max, Math.max(min, settledPerSecond * coverSeconds));
  const isFarOff = wanted >= current * WORTHWHILE || wanted * WORTHWHILE <= current;
  const isAtBound = (wanted === max || wanted === min) && wanted * 1.2 < current;
  return isFarOff || isAtBound ? Math.ceil(wanted) : current;
}
