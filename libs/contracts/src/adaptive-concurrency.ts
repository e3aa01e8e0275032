import { type Duration, durationToMs } from './duration.ts';
import { ConfigInvalidError } from './errors.ts';
import { count } from './payload-definition.ts';
import { COUNT_LIMITS } from './queue-counts.ts';

/** Has each process find out how many handlers are best to run at once: those with the most throughput, within a latency. */
export interface AdaptiveConcurrency {
  /** Default 1. */
  min?: number;
  max: number;
  /** How long nine of ten runs may take. Where they take longer, fewer run at once. */
  latency: Duration;
}

/** The resolved form of AdaptiveConcurrency. */
export interface AdaptiveBounds {
  readonly min: number;
  readonly max: number;
  readonly latencyMs: number;
}

const OPTIONS: readonly string[] = [
  'min',
  'max',
  'latency',
] satisfies readonly (keyof AdaptiveConcurrency)[];

/** @throws ConfigInvalidError naming the option, after `at` */
export function resolveAdaptive(options: AdaptiveConcurrency, at: string): AdaptiveBounds {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigInvalidError(at, 'a whole number, or an object with max and latency');
  }
  const unknown = Object.keys(options).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined) {
    const known = OPTIONS.join(', ');
    throw new ConfigInvalidError(
      `${at}.${unknown.slice(0, 80)}`,
      `unknown option (known: ${known})`,
    );
  }
  const max = count(options.max, `${at}.max`, 1, COUNT_LIMITS.concurrency);
  const min = count(options.min ?? 1, `${at}.min`, 1, max);
  const latencyMs = durationToMs(options.latency, `${at}.latency`);
  if (latencyMs < 1) throw new ConfigInvalidError(`${at}.latency`, 'expected more than 0ms');
  return Object.freeze({ min, max, latencyMs });
}
