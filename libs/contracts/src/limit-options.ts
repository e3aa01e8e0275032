import { type Duration, durationToMs } from './duration.ts';
import { ConfigInvalidError } from './errors.ts';
import { count } from './payload-definition.ts';

/** So many starts of handlers in so long a time. */
export interface LimitRate {
  /** Starts in each `per`, spread evenly. A whole number from 1. */
  rate: number;
  per: Duration;
  /**
   * Starts that may come at once after a rest; in any stretch of time there are at most `burst` more than the rate gives.
   * Default: a tenth of a second's worth, at least 1.
   */
  burst?: number;
}

/** How often handlers may start. What is over it waits, and nothing of that is spent. */
export interface LimitOptions extends LimitRate {
  /**
   * Gives each key a limit of its own: a path in the payload, such as `tenant` or `customer.id`, or `header:` and the name of
   * a header that the publisher adds. Default: one limit for all.
   */
  by?: string;
  /** Keys whose limit is another one, such as that of tenants who pay for more. Needs `by`, or a `key` at the handler. */
  rates?: Readonly<Record<string, LimitRate>>;
  /** `global`: for all processes together, which needs the store. `process`: for each by itself. Default `global`. */
  scope?: 'global' | 'process';
  /** Job types whose limits have one name share it. Default: the job type. */
  name?: string;
}

/** The resolved form of LimitRate. */
export interface LimitRule {
  /** From one start to the next. Not a whole number. */
  readonly intervalMs: number;
  readonly burst: number;
}

export const LIMIT_OPTIONS: readonly string[] = [
  'rate',
  'per',
  'burst',
  'by',
  'rates',
  'scope',
  'name',
] satisfies readonly (keyof LimitOptions)[];

const RATE_OPTIONS: readonly string[] = ['rate', 'per', 'burst'];
const NAME = /^[a-z0-9][a-z0-9._-]{0,127}$/;
const HIGHEST = 1_000_000;
/** A timer set for longer than 24 days overflows and fires at once. */
const MAX_PER_MS = 24 * 86_400_000;
const BURST_MS = 100;

/**
 * Checks a limit as it stands in a definition, and freezes it.
 * @throws ConfigInvalidError naming the option
 */
export function checkLimit(options: unknown): LimitOptions | undefined {
  if (options === undefined) return undefined;
  const limit = fieldsOf(options, 'limit', LIMIT_OPTIONS) as unknown as LimitOptions;
  resolveLimitRate(limit, 'limit', LIMIT_OPTIONS);
  checkKeySource(limit.by, 'limit.by');
  checkRates(limit.rates);
  if (limit.rates !== undefined && limit.by === undefined) {
    throw new ConfigInvalidError('limit.rates', 'needs `by`, which says whose they are');
  }
  if (limit.name !== undefined) checkLimitName(limit.name);
  if (limit.scope !== undefined && limit.scope !== 'global' && limit.scope !== 'process') {
    throw new ConfigInvalidError('limit.scope', `'global' or 'process', got ${show(limit.scope)}`);
  }
  return Object.freeze({ ...limit });
}

/** @throws ConfigInvalidError naming `limit.name`: it is the value of a label */
export function checkLimitName(name: unknown): string {
  if (typeof name === 'string' && NAME.test(name)) return name;
  throw new ConfigInvalidError(
    'limit.name',
    `a name is 1 to 128 of a-z, 0-9, ".", "_" and "-", got ${show(name)}`,
  );
}

/** @throws ConfigInvalidError naming the key and the option */
export function checkRates(rates: unknown): void {
  if (rates === undefined) return;
  for (const [key, rate] of Object.entries(fieldsOf(rates, 'limit.rates'))) {
    resolveLimitRate(rate, `limit.rates.${key.slice(0, 80)}`);
  }
}

/** @throws ConfigInvalidError naming the option, after `at` */
export function resolveLimitRate(
  options: unknown,
  at: string,
  known: readonly string[] = RATE_OPTIONS,
): LimitRule {
  const { rate, per, burst } = fieldsOf(options, at, known) as Partial<LimitRate>;
  const perRate = count(rate as number, under(at, 'rate'), 1, HIGHEST);
  const perMs = durationToMs(per as Duration, under(at, 'per'));
  if (perMs < 1 || perMs > MAX_PER_MS) {
    throw new ConfigInvalidError(under(at, 'per'), `from 1ms to 24d, got ${show(per)}`);
  }
  const intervalMs = perMs / perRate;
  const atOnce = Math.max(1, Math.ceil(BURST_MS / intervalMs));
  const checked = count(burst ?? atOnce, under(at, 'burst'), 1, HIGHEST);
  return Object.freeze({ intervalMs, burst: checked });
}

/**
 * Checks the rate that an operator wants to set for a limit.
 * @throws ConfigInvalidError naming `rate`, `per` or `burst`, an unknown option, or `body` for what is no object
 */
export function checkLimitRate(value: unknown): LimitRate {
  const { rate, per, burst } = fieldsOf(value, '', RATE_OPTIONS) as Partial<LimitRate>;
  if (rate === 0) {
    throw new ConfigInvalidError('rate', 'at least 1, got 0; pause the queue to have nobody start');
  }
  resolveLimitRate({ rate, per, burst }, '');
  return { rate, per, ...(burst !== undefined && { burst }) } as LimitRate;
}

/** @throws ConfigInvalidError naming the option */
export function checkKeySource(source: unknown, name: string): string | undefined {
  if (source === undefined) return undefined;
  if (typeof source === 'string' && /^(header:.+|[^.:]+(\.[^.:]+)*)$/.test(source)) return source;
  throw new ConfigInvalidError(
    name,
    `a path in the payload such as 'tenant', or 'header:x-tenant', got ${show(source)}`,
  );
}

/** Whether these are rates by the names of limits, as operators set them. */
export function isRatesByName(value: unknown): value is Readonly<Record<string, LimitRate>> {
  try {
    for (const rate of Object.values(fieldsOf(value, 'limits'))) resolveLimitRate(rate, 'limits');
    return true;
  } catch {
    return false;
  }
}

function fieldsOf(
  value: unknown,
  name: string,
  known?: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const shown = show(value);
    throw new ConfigInvalidError(name || 'body', `expected an object, got ${shown}`);
  }
  const unknown = Object.keys(value).find((option) => known && !known.includes(option));
  if (unknown === undefined) return value as Readonly<Record<string, unknown>>;
  const options = known?.join(', ');
  throw new ConfigInvalidError(
    under(name, unknown.slice(0, 80)),
    `unknown option (known: ${options})`,
  );
}

function under(name: string, option: string): string {
  return name === '' ? option : `${name}.${option}`;
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? typeof value;
}
