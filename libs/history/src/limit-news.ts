import type { Duration } from '@warren/contracts';

/** How often handlers may start in one worker, as its code and environment say. */
export interface LimitNews {
  readonly name: string;
  /** Counted in the store for all workers together, or in each by itself. */
  readonly scope: 'global' | 'process';
  /** Job types and subscribers that it holds back. */
  readonly queues: readonly string[];
  /** By what it tells jobs apart: as `limit.by` says, or `function`; undefined for one limit for all. */
  readonly by?: string | undefined;
  readonly rate: number;
  readonly per: Duration;
  readonly burst: number;
  /** Whether some keys have rates of their own. */
  readonly ownRates?: true | undefined;
  /** Name of the setting that the rate comes from; undefined for one from the code. */
  readonly setting?: string | undefined;
}

/** So many limits travel in one message. */
export const MAX_LIMITS = 100;

const MAX_NAME_LENGTH = 255;
const MAX_QUEUES = 100;

/** The limits in what was parsed, without those that make no sense; undefined for what is no list. */
export function limitsIn(value: unknown): readonly LimitNews[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, MAX_LIMITS).flatMap((one) => limitIn(one) ?? []);
}

function limitIn(value: unknown): LimitNews | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const fields = value as Readonly<Record<string, unknown>>;
  const { name, scope, queues, by, rate, per, burst, ownRates, setting } = fields;
  if (!isName(name) || (scope !== 'global' && scope !== 'process')) return undefined;
  if (!isCount(rate) || !isName(per) || !isCount(burst) || !Array.isArray(queues)) return undefined;
  return {
    name,
    scope,
    queues: queues.slice(0, MAX_QUEUES).filter(isName),
    rate,
    per: per as Duration,
    burst,
    ...(isName(by) && { by }),
    ...(ownRates === true && { ownRates }),
    ...(isName(setting) && { setting }),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
