import { ConfigInvalidError } from './errors.ts';

/** What an operator sets for one queue while its workers run; what is left out is as code and environment say. */
export interface QueueCounts {
  /** Handlers that may run at once in one process. */
  readonly concurrency?: number | undefined;
  /** Unsettled deliveries the broker may have out to one process; taken as at least the concurrency. */
  readonly prefetch?: number | undefined;
}

/** Bounds of `concurrency` and `prefetch`, wherever they are set. */
export const COUNT_LIMITS = { concurrency: 10_000, prefetch: 65_535 } as const;

const NAMES = ['concurrency', 'prefetch'] as const;

/**
 * Checks what somebody wants to set. None at all is refused, since that is what pausing is for.
 * @throws ConfigInvalidError naming the field
 */
export function checkQueueCounts(value: unknown): QueueCounts {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigInvalidError('body', `expected an object with ${NAMES.join(', ')}`);
  }
  const given = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined) {
    throw new ConfigInvalidError(
      unknown.slice(0, 100),
      `unknown option (known: ${NAMES.join(', ')})`,
    );
  }
  const counts = Object.fromEntries(
    NAMES.filter((name) => given[name] !== undefined).map((name) => [name, one(name, given[name])]),
  ) as QueueCounts;
  if (Object.keys(counts).length === 0) {
    throw new ConfigInvalidError('concurrency', 'is needed, or prefetch; DELETE takes both back');
  }
  const { concurrency = 1, prefetch = Number.POSITIVE_INFINITY } = counts;
  if (prefetch < concurrency) {
    throw new ConfigInvalidError('prefetch', `at least the concurrency (${concurrency})`);
  }
  return counts;
}

/** Whether this is what `checkQueueCounts` lets through, by queue. */
export function isCountsByQueue(value: unknown): value is Readonly<Record<string, QueueCounts>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    for (const counts of Object.values(value)) checkQueueCounts(counts);
    return true;
  } catch {
    return false;
  }
}

function one(name: keyof typeof COUNT_LIMITS, value: unknown): number {
  const max = COUNT_LIMITS[name];
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= max) {
    return value as number;
  }
  const hint = value === 0 ? '; pause the queue to have nobody take jobs' : '';
  const shown = JSON.stringify(value)?.slice(0, 80) ?? typeof value;
  throw new ConfigInvalidError(
    name,
    `expected a whole number from 1 to ${max}, got ${shown}${hint}`,
  );
}
