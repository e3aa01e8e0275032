import { ConfigInvalidError, type Duration, durationToMs } from '@warren/contracts';

/** When a circuit opens, and when it is tried again. */
export interface BreakerOptions {
  /**
   * Results within the window before it may open; and it opens at so many failures in a row. Default 10: one failed call of
   * one says nothing.
   */
  volumeThreshold?: number;
  /** Opens when at least this share of the results in the window are failures, in percent. Default 50. */
  errorThresholdPercentage?: number;
  /** Over how long results count. Default 10s. */
  window?: Duration;
  /** How long it stays open before one call is tried. Default 30s. */
  resetTimeout?: Duration;
  /**
   * Longest run of one call, for calls inside a handler: then its signal aborts. The call is waited for all the same.
   * Default: as long as the handler may run.
   */
  timeout?: Duration;
  /** Calls at once, in this process; more wait their turn. Default: no limit. */
  capacity?: number;
  /** Circuits kept for different keys; beyond that the one that was not used for longest is forgotten. Default 1,000. */
  maxKeys?: number;
  /**
   * Whether an error speaks against the dependency. Never asked for what cannot: NonRetryableError, RetryAfterError,
   * SnoozeError, invalid payloads, our own capacity, aborts. Default: every other error does.
   */
  isFailure?: (error: unknown) => boolean;
}

/** The resolved form of BreakerOptions. */
export interface BreakerPolicy {
  readonly volumeThreshold: number;
  readonly errorThresholdPercentage: number;
  readonly windowMs: number;
  readonly resetTimeoutMs: number;
  readonly timeoutMs: number | undefined;
  readonly capacity: number;
  readonly maxKeys: number;
  readonly isFailure: (error: unknown) => boolean;
}

const OPTIONS: readonly string[] = [
  'volumeThreshold',
  'errorThresholdPercentage',
  'window',
  'resetTimeout',
  'timeout',
  'capacity',
  'maxKeys',
  'isFailure',
] satisfies readonly (keyof BreakerOptions)[];

/** A timer set for longer than 24 days overflows and fires at once. */
const MAX_MS = 24 * 86_400_000;
/** The window has ten parts, and a timer for each: shorter ones would only keep the process awake. */
const MIN_WINDOW_MS = 100;

/** @throws ConfigInvalidError naming the breaker and the option */
export function resolveBreakerPolicy(name: string, options: BreakerOptions): BreakerPolicy {
  const unknown = Object.keys(options).find((option) => !OPTIONS.includes(option));
  const at = (option: string) => `breaker ${name}: ${option}`;
  if (unknown !== undefined) {
    throw new ConfigInvalidError(at(unknown), `unknown option; there are ${OPTIONS.join(', ')}`);
  }
  const { timeout, isFailure = () => true } = options;
  if (typeof isFailure !== 'function') {
    throw new ConfigInvalidError(at('isFailure'), 'expected a function');
  }
  return {
    volumeThreshold: whole(options.volumeThreshold ?? 10, at('volumeThreshold'), 100_000),
    errorThresholdPercentage: whole(
      options.errorThresholdPercentage ?? 50,
      at('errorThresholdPercentage'),
      100,
    ),
    windowMs: millis(options.window ?? '10s', at('window'), MIN_WINDOW_MS),
    resetTimeoutMs: millis(options.resetTimeout ?? '30s', at('resetTimeout'), 1),
    timeoutMs: timeout === undefined ? undefined : millis(timeout, at('timeout'), 1),
    capacity:
      options.capacity === undefined
        ? Number.POSITIVE_INFINITY
        : whole(options.capacity, at('capacity'), 100_000),
    maxKeys: whole(options.maxKeys ?? 1_000, at('maxKeys'), 100_000),
    isFailure,
  };
}

function whole(value: unknown, name: string, max: number): number {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max) {
    return value as number;
  }
  throw new ConfigInvalidError(name, `a whole number from 1 to ${max}, got ${String(value)}`);
}

function millis(duration: Duration, name: string, minMs: number): number {
  const ms = durationToMs(duration, name);
  if (ms >= minMs && ms <= MAX_MS) return ms;
  throw new ConfigInvalidError(name, `from ${minMs}ms to 24d, got ${duration}`);
}
