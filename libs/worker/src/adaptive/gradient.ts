import type { AdaptiveBounds } from '@warren/contracts';

/** What was seen while so many ran at once. */
export interface LoadSample {
  readonly level: number;
  /** Runs that succeeded. */
  readonly perSecond: number;
  /** Nine of ten runs took no longer. */
  readonly latencyMs: number;
}

/** Where the search stands. Made by `firstSearch`. */
export interface Search {
  /** About how many are best to run at once. No whole number. */
  readonly limit: number;
  /** Not above this: beyond it runs took longer than they may. */
  readonly ceiling: number;
  /** Experiments since then. */
  readonly calm: number;
  /** Samples in a row whose runs took longer than they may. */
  readonly over: number;
  /** How far one experiment moves the limit. */
  readonly gain: number;
  /** Where the last one has moved it. */
  readonly trend: -1 | 0 | 1;
  /** What was seen at the lower of the two levels that are compared; undefined while that one is tried. */
  readonly low: LoadSample | undefined;
}

/** The two levels of an experiment are so far below and above the limit: nearer, and noise would decide. */
const APART = 0.15;
/** One percent more at once is worth it as long as it gives a quarter of a percent more throughput. */
const WORTHWHILE = 0.25;
const FIRST_GAIN = 1;
const LOWEST_GAIN = 0.1;
const LARGEST_STEP = 0.7;
/** One sample that is a little over the bound may be chance: the same level is looked at again. */
const SAMPLES_OVER = 2;
const FAR_OVER = 1.5;
/** With each experiment the ceiling is lifted by so much more: it may have been chance, or what was slow is fast again. */
const LIFT = 0.01;
/** Of the level that would just keep the bound, if run times grow with it. */
const MARGIN = 0.9;

/** Begins with the least. */
export function firstSearch({ min }: AdaptiveBounds): Search {
  return {
    limit: min,
    ceiling: Number.POSITIVE_INFINITY,
    calm: 0,
    over: 0,
    gain: FIRST_GAIN,
    trend: 0,
    low: undefined,
  };
}

/** How many are to run at once now: a little less and a little more than the limit, in turn. A whole number within the bounds. */
export function levelOf({ limit, ceiling, low }: Search, { min, max }: AdaptiveBounds): number {
  const lower = clamp(Math.floor(limit * (1 - APART)), min, max);
  if (!low) return lower;
  return clamp(Math.min(Math.ceil(limit * (1 + APART)), Math.floor(ceiling)), low.level, max);
}

/**
 * What follows from a sample. Two levels are compared, and the limit goes up while one percent more gives at least a quarter
 * of a percent of throughput, else down: to the knee, where more at once only makes each run longer. Steps get smaller when
 * they change their direction, so that noise does not throw it about. Runs that take too long cut it at once. Pure.
 */
export function nextSearch(search: Search, sample: LoadSample, bounds: AdaptiveBounds): Search {
  if (sample.latencyMs > bounds.latencyMs) {
    const over = search.over + 1;
    const isChance = over < SAMPLES_OVER && sample.latencyMs <= FAR_OVER * bounds.latencyMs;
    return isChance ? { ...search, over } : shrunk(search, sample, bounds);
  }
  const { low } = search;
  if (!low) return { ...search, low: sample, over: 0 };
  const { min, max } = bounds;
  const calm = search.calm + 1;
  const ceiling = search.ceiling * (1 + LIFT * calm);
  const slope = low.level === sample.level ? 0 : slopeOf(low, sample) - WORTHWHILE;
  const trend = Math.sign(slope) as Search['trend'];
  const gain = gainOf(search, trend);
  const step = clamp(gain * slope, -LARGEST_STEP, LARGEST_STEP);
  const limit = clamp(search.limit * Math.exp(step), min, Math.min(max, ceiling));
  return { limit, ceiling, calm, over: 0, gain, trend, low: undefined };
}

function shrunk(search: Search, sample: LoadSample, { min, latencyMs }: AdaptiveBounds): Search {
  const share = Math.max(0.5, (MARGIN * latencyMs) / sample.latencyMs);
  const limit = Math.max(min, Math.min(search.limit, sample.level * share));
  return {
    limit,
    // With no room at all above it nothing more could be learnt.
    ceiling: Math.max(limit, min + 1),
    calm: 0,
    over: 0,
    gain: LOWEST_GAIN,
    trend: 0,
    low: undefined,
  };
}

/** By how many percent throughput grows where one percent more run at once. */
function slopeOf(low: LoadSample, high: LoadSample): number {
  if (low.perSecond <= 0 || high.perSecond <= 0) return 0;
  const slope = Math.log(high.perSecond / low.perSecond) / Math.log(high.level / low.level);
  return clamp(slope, -1, 1);
}

function gainOf({ gain, trend }: Search, now: Search['trend']): number {
  if (trend === 0 || now === 0) return gain;
  return trend === now ? Math.min(FIRST_GAIN, gain * 1.3) : Math.max(LOWEST_GAIN, gain / 2);
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), Math.max(min, max));
}
