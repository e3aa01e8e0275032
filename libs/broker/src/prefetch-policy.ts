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

/** So many times what may be out has come: its handlers are fast, and the next look at their rate need not be waited for. */
const TURNS_OF_FAST_HANDLERS = 4;

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

/**
 * Deliveries after which a consumer may grow before its next look, so that a full queue is not worked off at its smallest
 * prefetch until then; slow handlers do not get there in time. None where it cannot grow.
 */
export function deliveriesBeforeGrowth(prefetch: number, { max }: PrefetchRange): number {
  return prefetch < max ? TURNS_OF_FAST_HANDLERS * prefetch : Number.POSITIVE_INFINITY;
}
