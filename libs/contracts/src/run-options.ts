import {
  type AdaptiveBounds,
  type AdaptiveConcurrency,
  resolveAdaptive,
} from './adaptive-concurrency.ts';
import { type AlertLimits, type AlertOptions, resolveAlertLimits } from './alert-limits.ts';
import { type Duration, durationToMs } from './duration.ts';
import { ConfigInvalidError } from './errors.ts';
import { checkKeySource, checkLimit, type LimitOptions } from './limit-options.ts';
import { count } from './payload-definition.ts';
import { COUNT_LIMITS } from './queue-counts.ts';
import { type RetryOptions, type RetryPolicy, resolveRetryPolicy } from './retry-policy.ts';

/** How handlers of one queue run: for a job type, and for each subscriber of an event. */
export interface RunOptions {
  retry?: RetryOptions;
  /** Longest run of one attempt. Default 1m. */
  timeout?: Duration;
  /** After a timeout the handler has this long to end by itself before it counts as failed. Default 5s. */
  cancelGrace?: Duration;
  /** Longest life of a job from its publication, waits included. Default 7d. */
  maxAge?: Duration;
  /** Handlers that may run at once in one process, or within what it is to be found out. Default: 2 × CPU cores; 1 with `cpuBound`. */
  concurrency?: number | AdaptiveConcurrency;
  /**
   * Handlers compute rather than wait: more than one at once in a process would only slow each other down, and hold up its
   * heartbeats. Only the default of `concurrency` follows from it. Default false.
   */
  cpuBound?: boolean;
  /** Unsettled deliveries the broker may have out to one process. Default: chosen by the worker. */
  prefetch?: number;
  /** How often a handler may put a job off with SnoozeError. Default 100. */
  maxSnoozes?: number;
  /**
   * At most one run of a job at a time, and none after it succeeded: needs the store. It cannot undo what a run did just
   * before it died: pass `job.id` on as an idempotency key. Default false.
   */
  once?: boolean;
  /**
   * For runs that take longer than the broker would leave a delivery out, 30 minutes by default: the job is kept in the store
   * while it runs, at most one run of it at a time, and may leave checkpoints there. Needs the store. Default false.
   */
  long?: boolean;
  /**
   * Name of the circuit breaker around the handler, such as that of the dependency that it needs. While its circuit is open
   * jobs wait, and no attempt is spent. Default: none.
   */
  breaker?: string;
  /** How often handlers may start. Jobs over it wait, and no attempt is spent. Default: no limit. */
  limit?: LimitOptions;
  /**
   * Takes turns between the jobs of different keys, such as tenants, among those that a worker has fetched: a path in the
   * payload, or `header:` and the name of a header that the publisher adds. Default: as they come.
   */
  fairBy?: string;
  /** From when on waiting jobs are an alert: by it one rule serves every queue. The low lane has ten times as much. */
  alerts?: AlertOptions;
}

/** The resolved form of RunOptions. */
export interface RunPolicy {
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly cancelGraceMs: number;
  readonly maxAgeMs: number;
  readonly concurrency: number | undefined;
  /** Set where the concurrency is to be found out. */
  readonly adaptive: AdaptiveBounds | undefined;
  readonly cpuBound: boolean;
  readonly prefetch: number | undefined;
  readonly maxSnoozes: number;
  readonly once: boolean;
  readonly long: boolean;
  readonly breaker: string | undefined;
  readonly limit: LimitOptions | undefined;
  readonly fairBy: string | undefined;
  readonly alerts: AlertLimits;
}

export const RUN_OPTIONS = [
  'retry',
  'timeout',
  'cancelGrace',
  'maxAge',
  'concurrency',
  'cpuBound',
  'prefetch',
  'maxSnoozes',
  'once',
  'long',
  'breaker',
  'limit',
  'fairBy',
  'alerts',
];

const MAX_TIMER_MS = 24 * 86_400_000;

/**
 * @param maxDepth from where on jobs are refused
 * @throws ConfigInvalidError naming the option
 */
export function resolveRunPolicy(options: RunOptions, maxDepth?: number): RunPolicy {
  const { concurrency, adaptive } = resolveConcurrency(options.concurrency);
  const prefetch = optionalCount(options.prefetch, 'prefetch', COUNT_LIMITS.prefetch);
  const most = concurrency ?? adaptive?.max;
  if (most !== undefined && prefetch !== undefined && prefetch < most) {
    throw new ConfigInvalidError('prefetch', `at least the concurrency (${most})`);
  }
  if (options.long && prefetch !== undefined) {
    throw new ConfigInvalidError('prefetch', 'does not go with long: jobs are fetched one by one');
  }
  if (options.long && adaptive) {
    throw new ConfigInvalidError(
      'concurrency',
      'a number for long: too few runs end to learn from',
    );
  }
  return {
    retry: resolveRetryPolicy(options.retry),
    timeoutMs: timerMs(options.timeout ?? '1m', 'timeout', 1),
    cancelGraceMs: timerMs(options.cancelGrace ?? '5s', 'cancelGrace', 0),
    maxAgeMs: atLeast(durationToMs(options.maxAge ?? '7d', 'maxAge'), 'maxAge', 1),
    concurrency,
    adaptive,
    cpuBound: flag(options.cpuBound ?? false, 'cpuBound'),
    prefetch,
    maxSnoozes: count(options.maxSnoozes ?? 100, 'maxSnoozes', 0, 1_000_000),
    once: flag(options.once ?? false, 'once'),
    long: flag(options.long ?? false, 'long'),
    breaker: optionalName(options.breaker, 'breaker'),
    limit: checkLimit(options.limit),
    fairBy: checkKeySource(options.fairBy, 'fairBy'),
    alerts: resolveAlertLimits(options.alerts, maxDepth),
  };
}

export function flag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new ConfigInvalidError(name, `expected true or false, got ${JSON.stringify(value)}`);
}

function optionalName(value: unknown, name: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new ConfigInvalidError(name, `expected a name, got ${JSON.stringify(value)}`);
}

function resolveConcurrency(
  wanted: RunOptions['concurrency'],
): Pick<RunPolicy, 'concurrency' | 'adaptive'> {
  const name = 'concurrency';
  if (typeof wanted === 'object') {
    return { concurrency: undefined, adaptive: resolveAdaptive(wanted, name) };
  }
  return { concurrency: optionalCount(wanted, name, COUNT_LIMITS[name]), adaptive: undefined };
}

function optionalCount(value: number | undefined, name: string, max: number): number | undefined {
  return value === undefined ? undefined : count(value, name, 1, max);
}

/** A timer set for longer than 24 days overflows and fires at once. */
function timerMs(duration: Duration, name: string, minMs: number): number {
  const ms = durationToMs(duration, name);
  if (ms > MAX_TIMER_MS) throw new ConfigInvalidError(name, `at most 24d, got ${duration}`);
  return atLeast(ms, name, minMs);
}

function atLeast(ms: number, name: string, minMs: number): number {
  if (ms < minMs) throw new ConfigInvalidError(name, 'expected more than 0ms');
  return ms;
}
