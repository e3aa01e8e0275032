import {
  ConfigInvalidError,
  checkEventPattern,
  defineJob,
  type EventDefinition,
  type Job,
  type JobDefinition,
  type PayloadDefinition,
  type PayloadOutput,
  type RunOptions,
  type StandardSchemaV1,
} from '@warren/contracts';
import type { HandlerRegistration, JobContext } from './handle.ts';

/** How a subscriber runs: as a job type does, under a name of its own. */
export interface SubscribeOptions extends RunOptions {
  /** Names the subscriber and its queue. Processes that share the name share the work. */
  as: string;
}

/** As SubscribeOptions, for a pattern. */
export interface PatternSubscribeOptions extends SubscribeOptions {
  /** Events whose payloads are to be checked. The payload of any other is handed on as it came. */
  events?: readonly EventDefinition[];
}

/** Reads one event: `job.type` is its name. It may run twice for one event, as for jobs. */
export type EventHandler<Payload> = (event: Job<Payload>, context: JobContext) => unknown;

const ANYTHING: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'warren', validate: (value) => ({ value }) },
};

/** Options of a job type that say what its payload is, or how it is published: an event's definition says the one. */
const NOT_OF_A_SUBSCRIBER = [
  'type',
  'schema',
  'description',
  'lanes',
  'maxDepth',
  'version',
  'upgrade',
  'maxPayloadBytes',
  'pii',
];

/**
 * Ties a handler to an event, or to all events that match a pattern such as `order.#`, for `createWorker`. Each subscriber
 * has its own queue, retries, suspects and dead letters: a retry reaches only the subscriber that failed. It gets what is
 * emitted from the time on when its queue was first declared.
 *
 * Whatever comes into the queue of a subscriber to one event is checked against that event, also if it has another name.
 * @throws ConfigInvalidError naming the option
 */
export function subscribe<Definition extends EventDefinition>(
  event: Definition,
  options: SubscribeOptions,
  handler: EventHandler<PayloadOutput<Definition>>,
): HandlerRegistration;
export function subscribe(
  pattern: string,
  options: PatternSubscribeOptions,
  handler: EventHandler<unknown>,
): HandlerRegistration;
export function subscribe(
  source: EventDefinition | string,
  options: PatternSubscribeOptions,
  handler: EventHandler<never>,
): HandlerRegistration {
  const { as: name, events, ...run } = options;
  const definition = defineSubscriber(name, run);
  const eventOf =
    typeof source === 'string' ? knownBy(name, events ?? []) : onlyEvent(name, source, events);
  const pattern = typeof source === 'string' ? source : source.type;
  checkEventPattern(pattern);
  return {
    definition,
    // The payload was checked against the event's schema before, where there is one.
    run: (job, context) => handler(job as Job<never>, context),
    options: {},
    subscription: { patterns: [pattern], eventOf },
  };
}

function defineSubscriber(name: string, run: RunOptions): JobDefinition {
  const foreign = Object.keys(run).find((option) => NOT_OF_A_SUBSCRIBER.includes(option));
  if (foreign !== undefined) throw wrong(name, foreign, 'unknown option');
  try {
    return defineJob({ type: name, schema: ANYTHING, ...run });
  } catch (error) {
    if (!(error instanceof ConfigInvalidError)) throw error;
    const { setting, message } = error;
    const problem = message.slice(setting.length + 2);
    // To its owner it is no job, and what a job calls its type is here the name.
    throw setting === 'type'
      ? new ConfigInvalidError('as', problem)
      : wrong(name, setting.replace(/^job [^:]*: /, ''), problem);
  }
}

function onlyEvent(name: string, event: EventDefinition, events: unknown): () => EventDefinition {
  if (events !== undefined) throw wrong(name, 'events', 'goes with a pattern only');
  if (!isEvent(event)) throw wrong(name, 'event', 'expected a pattern, or what defineEvent gives');
  return () => event;
}

function knownBy(
  name: string,
  events: readonly EventDefinition[],
): (type: string) => PayloadDefinition | undefined {
  if (!Array.isArray(events) || !events.every(isEvent)) {
    throw wrong(name, 'events', 'expected a list of what defineEvent gives');
  }
  const known = new Map(events.map((event) => [event.type, event]));
  if (known.size < events.length) throw wrong(name, 'events', 'has one event twice');
  return (type) => known.get(type);
}

function isEvent(value: unknown): boolean {
  return typeof value === 'object' && (value as EventDefinition | null)?.kind === 'event';
}

function wrong(name: string, option: string, problem: string): ConfigInvalidError {
  return new ConfigInvalidError(`subscriber ${name}: ${option}`, problem);
}
