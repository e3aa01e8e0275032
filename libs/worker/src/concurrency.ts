import { availableParallelism } from 'node:os';
import type { PrefetchRange } from '@warren/broker';
import { type AdaptiveBounds, type QueueCounts, resolveAdaptive } from '@warren/contracts';
import type { HandlerRegistration } from './handle.ts';

/** For fast handlers the broker may have this many times the concurrency out: it hides the way there and back. */
const PREFETCH_FACTOR = 10;

/** With a history, acks wait for some milliseconds: with 10 the handlers were idle for two thirds of the time. */
const PREFETCH_FACTOR_WITH_HISTORY = 50;

/**
 * A lane gives what it is owed only while it has jobs in hand, and acks come back late: with as many as run at once a
 * lane that was owed 60 % of the starts got 52 % (measured with handlers of 50 ms), and its jobs waited for seconds.
 */
const SMALLEST_PER_LANE = 4;

/** Where some jobs wait and others go on, those have to be among what was fetched. */
const SMALLEST_WINDOW = 50;
const WINDOW_FACTOR = 10;
const LARGEST_WINDOW = 1_000;

/** What a process sets by job type or subscriber. */
interface CountsByType {
  readonly concurrency?: Readonly<Record<string, number>> | undefined;
  readonly prefetch?: Readonly<Record<string, number>> | undefined;
}

/** The registration with what the process sets for it, over what the code says. */
export function withCounts(
  registration: HandlerRegistration,
  { concurrency = {}, prefetch = {} }: CountsByType,
): HandlerRegistration {
  const { type } = registration.definition;
  const options = {
    ...registration.options,
    ...(Object.hasOwn(concurrency, type) && { concurrency: concurrency[type] }),
    ...(Object.hasOwn(prefetch, type) && { prefetch: prefetch[type] }),
  };
  return { ...registration, options };
}

/** The registration with what an operator has set over all of that. */
export function withOperatorsCounts(
  registration: HandlerRegistration,
  { concurrency, prefetch }: QueueCounts,
): HandlerRegistration {
  const options = {
    ...registration.options,
    ...(concurrency !== undefined && { concurrency }),
    ...(prefetch !== undefined && { prefetch }),
  };
  return { ...registration, options };
}

/** Within what the concurrency is to be found out; undefined where somebody has said a number. */
export function adaptiveOf({
  definition,
  options,
}: HandlerRegistration): AdaptiveBounds | undefined {
  const { concurrency } = options;
  if (typeof concurrency === 'number') return undefined;
  if (concurrency === undefined) return definition.adaptive;
  return resolveAdaptive(concurrency, `job ${definition.type}: concurrency`);
}

/** Handlers that may run at once; at first, where that is to be found out. */
export function concurrencyOf(registration: HandlerRegistration): number {
  const { definition, options } = registration;
  if (typeof options.concurrency === 'number') return options.concurrency;
  const byDefault = definition.cpuBound ? 1 : 2 * availableParallelism();
  return adaptiveOf(registration)?.min ?? definition.concurrency ?? byDefault;
}

/** Deliveries among which jobs of other keys are looked for. */
function windowOf(registration: HandlerRegistration): number {
  const { definition, options } = registration;
  const concurrency = concurrencyOf(registration);
  const fixed = options.prefetch ?? definition.prefetch;
  if (fixed !== undefined) return Math.max(fixed, concurrency);
  const wide = Math.min(LARGEST_WINDOW, Math.max(SMALLEST_WINDOW, WINDOW_FACTOR * concurrency));
  return Math.max(concurrency, wide);
}

/** Deliveries that may wait in hand for a limit: at least as many are left for jobs of other keys. */
export function maxHeldOf(registration: HandlerRegistration): number {
  return Math.floor(windowOf(registration) / 2);
}

/** Unsettled deliveries that the broker may have out. `isKeyed`: some may have to wait while others go on. */
export function prefetchOf(
  registration: HandlerRegistration,
  hasHistory: boolean,
  isKeyed = false,
): number | PrefetchRange {
  const { definition, options } = registration;
  // Acknowledged as soon as it starts; what is out beyond the next one would wait for hours.
  if (definition.long) return 1;
  const concurrency = concurrencyOf(registration);
  const fixed = options.prefetch ?? definition.prefetch;
  if (fixed !== undefined) return Math.max(fixed, concurrency);
  const factor = hasHistory ? PREFETCH_FACTOR_WITH_HISTORY : PREFETCH_FACTOR;
  const smallest = definition.lanes ? SMALLEST_PER_LANE * concurrency : concurrency;
  const min = isKeyed ? windowOf(registration) : smallest;
  return { min, max: Math.max(min, Math.min(2_000, factor * concurrency)) };
}
