import {
  type AdaptiveConcurrency,
  ConfigInvalidError,
  isLane,
  type JobDefinition,
  LANES,
  resolveAdaptive,
} from '@warren/contracts';
import type { HandlerRegistration } from './handle.ts';

/** Where they are made known. */
const CHECKED_ELSEWHERE: readonly string[] = ['breaker', 'limit', 'keyConcurrency', 'fairBy'];

/**
 * Refuses at start what would go wrong at run time.
 * @throws ConfigInvalidError naming the job type and the setting
 */
export function checkRegistrations(
  handlers: readonly HandlerRegistration[],
  store: { readonly claims?: unknown; readonly leases?: unknown },
): void {
  if (handlers.length === 0)
    throw new ConfigInvalidError('handlers', 'a worker needs at least one');
  for (const { definition, options } of handlers) {
    checkOptions(definition, options);
    if (definition.once && !store.claims) {
      throw new ConfigInvalidError(
        `job ${definition.type}`,
        'once needs the store: give its claims to createWorker as `claims`',
      );
    }
    if (definition.long && !store.leases) {
      throw new ConfigInvalidError(
        `job ${definition.type}`,
        'long needs the store: give its leases to createWorker as `leases`',
      );
    }
    if (definition.long && options.prefetch !== undefined) {
      throw new ConfigInvalidError(
        `job ${definition.type}`,
        'prefetch does not go with long: jobs are fetched one by one',
      );
    }
  }
}

function checkOptions(definition: JobDefinition, options: HandlerRegistration['options']): void {
  const { type } = definition;
  for (const [name, value] of Object.entries(options)) {
    if (CHECKED_ELSEWHERE.includes(name)) continue;
    if (name === 'laneWeights') {
      checkLaneWeights(definition, options.laneWeights);
      continue;
    }
    if (name !== 'concurrency' && name !== 'prefetch') {
      throw new ConfigInvalidError(`job ${type}`, `unknown handler option ${name}`);
    }
    if (value === undefined) continue;
    if (name === 'concurrency' && typeof value === 'object' && value !== null) {
      checkAdaptive(definition, options);
      continue;
    }
    if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 65_535) {
      throw new ConfigInvalidError(
        `job ${type}`,
        `${name} must be a whole number from 1 to 65535, got ${String(value)}`,
      );
    }
  }
}

function checkAdaptive(
  { type, long, ...definition }: JobDefinition,
  { concurrency, prefetch = definition.prefetch }: HandlerRegistration['options'],
): void {
  const { max } = resolveAdaptive(concurrency as AdaptiveConcurrency, `job ${type}: concurrency`);
  if (long) {
    throw new ConfigInvalidError(
      `job ${type}: concurrency`,
      'a number for long: too few runs end to learn from',
    );
  }
  if (prefetch !== undefined && prefetch < max) {
    throw new ConfigInvalidError(`job ${type}: prefetch`, `at least the concurrency (${max})`);
  }
}

function checkLaneWeights(
  { type, lanes }: JobDefinition,
  weights: HandlerRegistration['options']['laneWeights'],
): void {
  if (weights === undefined) return;
  if (!lanes) throw new ConfigInvalidError(`job ${type}`, 'laneWeights needs `lanes: true`');
  for (const [lane, weight] of Object.entries(weights)) {
    if (!isLane(lane)) {
      const known = LANES.join(', ');
      throw new ConfigInvalidError(`job ${type}`, `laneWeights has ${lane} (known: ${known})`);
    }
    if (!Number.isInteger(weight) || weight < 1 || weight > 1_000) {
      throw new ConfigInvalidError(
        `job ${type}`,
        `laneWeights.${lane} must be a whole number from 1 to 1000, got ${String(weight)}`,
      );
    }
  }
}
