import { ConfigInvalidError, checkEventPattern, checkJobTypeName } from '@warren/contracts';
import type { RetryTier } from './tiers.ts';

/** What a topology is built from. */
export interface TopologyOptions {
  /** Prefix of every broker name; see `createNames`. */
  readonly namespace?: string | undefined;
  /** Job types; one that has lanes is to say so. A job definition does. */
  readonly jobTypes: readonly (string | JobQueues)[];
  /** Readers of events. Default: none. */
  readonly subscribers?: readonly Subscriber[] | undefined;
  /** Default: `RETRY_TIERS`. */
  readonly tiers?: readonly RetryTier[] | undefined;
  /** With the streams that tell what happens to jobs, and what shall happen to them. Default: without. */
  readonly history?: HistoryBounds | undefined;
}

/** A job type, and whether it has lanes. */
export interface JobQueues {
  readonly type: string;
  readonly lanes?: boolean | undefined;
}

/** How much of the history the broker keeps: whatever is older, or more. It drops whole segments of 100 MB or less. */
export interface HistoryBounds {
  /** As RabbitMQ has it: `7D`, `12h`. Default `7D`. */
  readonly maxAge?: string | undefined;
  /** Default 5 GB. */
  readonly maxBytes?: number | undefined;
}

/** A reader of events: a queue of its own, bound to `events` by patterns such as `order.#`. */
export interface Subscriber {
  readonly name: string;
  readonly patterns: readonly string[];
}

const TIER_NAME = /^[a-z0-9_-]{1,40}$/;

/** RabbitMQ's longest TTL: ten years. */
const MAX_TTL_MS = 315_360_000_000;

/**
 * Checks that no two names can meet. Job types cannot take a derived name (`a.b.dead`) because their own rules
 * refuse those endings, nor a shared one (`jobs.due`) because they refuse those beginnings.
 * A subscriber's queue is named like a job type's, so the two may not share a name.
 * @throws ConfigInvalidError naming `type`, `jobTypes`, `subscribers`, `pattern` or `tiers`
 */
export function checkNames({
  jobTypes,
  subscribers,
  tiers,
}: {
  jobTypes: readonly string[];
  subscribers: readonly Subscriber[];
  tiers: readonly RetryTier[];
}): void {
  for (const jobType of jobTypes) checkJobTypeName(jobType);
  refuseDuplicates('jobTypes', jobTypes);
  for (const subscriber of subscribers) checkSubscriber(subscriber);
  refuseDuplicates('subscribers', [...subscribers.map(({ name }) => name), ...jobTypes]);
  if (tiers.length === 0) throw new ConfigInvalidError('tiers', 'expected at least one');
  for (const tier of tiers) checkTier(tier);
  refuseDuplicates(
    'tiers',
    tiers.map(({ name }) => name),
  );
}

function refuseDuplicates(setting: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ConfigInvalidError(setting, `${twice} is there twice`);
}

function checkSubscriber({ name, patterns }: Subscriber): void {
  checkJobTypeName(name);
  if (patterns.length === 0) {
    throw new ConfigInvalidError('subscribers', `${name} reads no event: expected a pattern`);
  }
  for (const pattern of patterns) checkEventPattern(pattern);
}

function checkTier({ name, delayMs }: RetryTier): void {
  if (typeof name !== 'string' || !TIER_NAME.test(name)) {
    throw new ConfigInvalidError(
      'tiers',
      `${JSON.stringify(name)} is no name for a tier: expected one such as "30s"`,
    );
  }
  if (!Number.isInteger(delayMs) || delayMs < 1 || delayMs > MAX_TTL_MS) {
    throw new ConfigInvalidError(
      'tiers',
      `delayMs of ${name}: expected 1 to ${MAX_TTL_MS}, got ${delayMs}`,
    );
  }
}
