/** How far something is, and since when. */
export interface ProgressFacts {
  /** Such as `Replaying`. */
  readonly word: string;
  readonly done: number;
  /** Undefined where nobody knows. */
  readonly of: number | undefined;
  readonly elapsedMs: number;
}

const CELLS = 24;
/** Before that, a rate says nothing. */
const SETTLED_MS = 2_000;

/** One line for a terminal: a bar, how many, how fast, and how long yet. Without a whole, only how many and how fast. */
export function progressLine({ word, done, of, elapsedMs }: ProgressFacts): string {
  const perSecond = done / (elapsedMs / 1_000);
  const isSettled = elapsedMs >= SETTLED_MS && done > 0 && Number.isFinite(perSecond);
  const rate = isSettled ? `  ${rateText(perSecond)}/s` : '';
  if (of === undefined) return `${word} ${done}${rate}`;
  const fraction = of > 0 ? Math.min(1, done / of) : 1;
  const full = Math.floor(fraction * CELLS);
  const bar = `[${'#'.repeat(full)}${'-'.repeat(CELLS - full)}]`;
  const head = `${word} ${bar} ${Math.floor(fraction * 100)} %  ${done} of ${of}`;
  return isSettled ? `${head}${rate}  ${timeLeft((of - done) / perSecond)} left` : head;
}

/** A rate with a digit after the point where it is small. */
export function rateText(perSecond: number): string {
  return perSecond < 10 ? perSecond.toFixed(1) : String(Math.round(perSecond));
}

/** A time to come, in the unit that suits it. */
export function timeLeft(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.ceil(whole / 60)} min`;
  return `${(whole / 3_600).toFixed(1)} h`;
}
