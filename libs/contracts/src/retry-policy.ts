import { type Duration, durationToMs } from './duration.ts';
import { ConfigInvalidError } from './errors.ts';

/** How much of a delay is random: `none`, `equal` (the upper half), `full` (all of it). */
export type Jitter = 'none' | 'equal' | 'full';

/** How the delay grows from one attempt to the next, as written in a job definition. */
export type BackoffOptions =
  | { kind: 'fixed'; delay: Duration; jitter?: Jitter }
  | { kind: 'linear'; step: Duration; max?: Duration; jitter?: Jitter }
  | { kind: 'exponential'; initial: Duration; factor?: number; max?: Duration; jitter?: Jitter }
  | { kind: 'steps'; delays: readonly [Duration, ...Duration[]]; jitter?: Jitter };

type OptionsOf<Kind extends BackoffOptions['kind']> = Extract<BackoffOptions, { kind: Kind }>;

/** What a job definition may say about retries. */
export interface RetryOptions {
  /** Handler runs in all, the first one included. Default 5; 1 means no retry. */
  maxAttempts?: number;
  /** Default: exponential from 1 s, factor 2, at most 10 min, equal jitter. */
  backoff?: BackoffOptions;
}

/** A resolved backoff: data only, times in milliseconds. */
export type Backoff =
  | { readonly kind: 'fixed'; readonly delayMs: number; readonly jitter: Jitter }
  | {
      readonly kind: 'linear';
      readonly stepMs: number;
      readonly maxMs: number;
      readonly jitter: Jitter;
    }
  | {
      readonly kind: 'exponential';
      readonly initialMs: number;
      readonly factor: number;
      readonly maxMs: number;
      readonly jitter: Jitter;
    }
  | { readonly kind: 'steps'; readonly delaysMs: readonly number[]; readonly jitter: Jitter };

/** A resolved retry policy. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly backoff: Backoff;
}

/** Retry tiers reach this far; longer waits belong to a scheduler. */
export const MAX_DELAY_MS = 86_400_000;

const DEFAULT_BACKOFF: BackoffOptions = {
  kind: 'exponential',
  initial: '1s',
  factor: 2,
  max: '10m',
  jitter: 'equal',
};

/**
 * Resolves and checks retry options.
 * @throws ConfigInvalidError naming the option
 */
export function resolveRetryPolicy(options: RetryOptions = {}): RetryPolicy {
  refuseUnknown(options, ['maxAttempts', 'backoff'], 'retry');
  const maxAttempts = options.maxAttempts ?? 5;
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1 || maxAttempts > 1_000) {
    throw new ConfigInvalidError('retry.maxAttempts', `expected 1 to 1000, got ${maxAttempts}`);
  }
  return Object.freeze({
    maxAttempts,
    backoff: Object.freeze(resolveBackoff(options.backoff ?? DEFAULT_BACKOFF)),
  });
}

function resolveBackoff(options: BackoffOptions): Backoff {
  const at = 'retry.backoff';
  const jitter = options.jitter ?? (options.kind === 'exponential' ? 'equal' : 'none');
  if (!['none', 'equal', 'full'].includes(jitter)) {
    throw new ConfigInvalidError(`${at}.jitter`, `expected none, equal or full, got ${jitter}`);
  }
  switch (options.kind) {
    case 'fixed':
      refuseUnknown(options, ['kind', 'delay', 'jitter'], at);
      return { kind: 'fixed', delayMs: delayMs(options.delay, `${at}.delay`), jitter };
    case 'linear':
      return linear(options, at, jitter);
    case 'exponential':
      return exponential(options, at, jitter);
    case 'steps':
      refuseUnknown(options, ['kind', 'delays', 'jitter'], at);
      return { kind: 'steps', delaysMs: steps(options.delays), jitter };
    default:
      throw new ConfigInvalidError(
        `${at}.kind`,
        `expected fixed, linear, exponential or steps, got ${String((options as { kind?: unknown }).kind)}`,
      );
  }
}

function linear(options: OptionsOf<'linear'>, at: string, jitter: Jitter): Backoff {
  refuseUnknown(options, ['kind', 'step', 'max', 'jitter'], at);
  const stepMs = delayMs(options.step, `${at}.step`);
  return { kind: 'linear', stepMs, maxMs: longestMs(options.max, '1h', stepMs), jitter };
}

function exponential(options: OptionsOf<'exponential'>, at: string, jitter: Jitter): Backoff {
  refuseUnknown(options, ['kind', 'initial', 'factor', 'max', 'jitter'], at);
  const initialMs = delayMs(options.initial, `${at}.initial`);
  return {
    kind: 'exponential',
    initialMs,
    factor: factor(options.factor ?? 2),
    maxMs: longestMs(options.max, '10m', initialMs),
    jitter,
  };
}

/** A default never shortens the first delay; a written maximum that does is a mistake. */
function longestMs(max: Duration | undefined, byDefault: Duration, firstMs: number): number {
  const name = 'retry.backoff.max';
  const maxMs = delayMs(max ?? byDefault, name);
  if (max === undefined) return Math.max(maxMs, firstMs);
  if (maxMs < firstMs) throw new ConfigInvalidError(name, `${max} is shorter than the first delay`);
  return maxMs;
}

function steps(delays: readonly Duration[]): readonly number[] {
  if (!Array.isArray(delays) || delays.length === 0) {
    throw new ConfigInvalidError('retry.backoff.delays', 'expected at least one duration');
  }
  return delays.map((delay, index) => delayMs(delay, `retry.backoff.delays[${index}]`));
}

function factor(value: number): number {
  if (!Number.isFinite(value) || value < 1 || value > 100) {
    throw new ConfigInvalidError('retry.backoff.factor', `expected 1 to 100, got ${value}`);
  }
  return value;
}

function delayMs(duration: Duration, name: string): number {
  const ms = durationToMs(duration, name);
  if (ms > MAX_DELAY_MS) throw new ConfigInvalidError(name, `at most 24h, got ${duration}`);
  return ms;
}

/** @throws ConfigInvalidError for what is no object, or a key not in `known`: a misspelt option must not be ignored */
export function refuseUnknown(options: object, known: readonly string[], at: string): void {
  if (options === null || typeof options !== 'object') {
    throw new ConfigInvalidError(at || 'options', `expected an object, got ${typeof options}`);
  }
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const path = at ? `${at}.${unknown}` : unknown;
    throw new ConfigInvalidError(path, `unknown option (known: ${known.join(', ')})`);
  }
}
