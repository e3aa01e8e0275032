import { ConfigInvalidError, type Lane } from '@warren/contracts';
import type { RetryTier } from './tiers.ts';

/** Every name that an installation uses at the broker. Queue names double as routing keys on `due` and `dead`. */
export interface Names {
  /** The prefix of all names; undefined for none. */
  readonly namespace: string | undefined;
  /** Topic exchange, the front door. Routing keys on it are job types without the namespace. */
  readonly jobs: string;
  /** Topic exchange of facts. Routing keys on it are event names without the namespace. */
  readonly events: string;
  /** Direct exchange that brings a message to the queue that its routing key names in full. */
  readonly due: string;
  /** Topic exchange of dead letters. Routing key: the full name of the work queue. */
  readonly dead: string;
  /** Fanout exchange, and its one queue, for messages whose queue is gone. */
  readonly unroutable: string;
  /** Topic exchange of what happens to jobs. Routing keys on it are names of services. */
  readonly lifecycle: string;
  /** Stream of all that comes through `lifecycle`. */
  readonly history: string;
  /** Stream of the control state, a whole one in each message; published to through the default exchange. */
  readonly control: string;
  /** Stream of cancellations; published to through the default exchange. */
  readonly cancels: string;
  /** Fanout exchange, and its one queue, that keep a message for the tier's delay. */
  retry(tier: Pick<RetryTier, 'name'>): string;
  /** Of a job type, or of a subscriber of events. */
  workQueue(jobType: string): string;
  /** Of one lane of a job type; that of `normal` is the work queue. */
  laneQueue(jobType: string, lane: Lane): string;
  /** Jobs that were in hand when a connection or process died twice. */
  suspectQueue(jobType: string): string;
  deadQueue(jobType: string): string;
  /** The lock of whoever replays a queue of dead letters, given by its full name: an exclusive queue while it is held. */
  replayLock(queue: string): string;
  /** Keeps the messages of a queue, given by its full name, while it is declared anew. */
  holdingQueue(queue: string): string;
  /** The lock of whoever does that. */
  migrationLock(queue: string): string;
}

/** First words of the kit's own names, and of the broker's: as a namespace they would be mistaken for those. */
const RESERVED = ['jobs', 'retry', 'events', 'amq'];

/** One word, so that namespace `a.b` cannot hold the same names as namespace `a` with job types `b.…`. */
const PATTERN = /^[a-z][a-z0-9_-]*$/;

/** With the longest job type and ending, names stay below AMQP's 255 bytes. */
const MAX_LENGTH = 40;

/**
 * The names of one installation; a namespace prefixes each as `<namespace>.<name>`.
 *
 * Two namespaces never share a name. An installation without a namespace can meet one that has: its job
 * type `a.b` has the queue that job type `b` has in namespace `a`. Their queues differ in arguments, so
 * the broker refuses the second declaration and nothing is mixed up in silence. On a shared virtual host
 * give every installation a namespace.
 * @throws ConfigInvalidError naming `namespace`
 */
export function createNames(namespace?: string): Names {
  if (namespace !== undefined) checkNamespace(namespace);
  const prefix = namespace === undefined ? '' : `${namespace}.`;
  return Object.freeze({
    namespace,
    jobs: `${prefix}jobs`,
    events: `${prefix}events`,
    due: `${prefix}jobs.due`,
    dead: `${prefix}jobs.dead`,
    unroutable: `${prefix}jobs.unroutable`,
    lifecycle: `${prefix}jobs.lifecycle`,
    history: `${prefix}jobs.history`,
    control: `${prefix}jobs.control`,
    cancels: `${prefix}jobs.cancels`,
    retry: (tier: Pick<RetryTier, 'name'>) => `${prefix}retry.${tier.name}`,
    workQueue: (jobType: string) => `${prefix}${jobType}`,
    laneQueue: (jobType: string, lane: Lane) => `${prefix}${laneKey(jobType, lane)}`,
    suspectQueue: (jobType: string) => `${prefix}${jobType}.suspect`,
    deadQueue: (jobType: string) => `${prefix}${jobType}.dead`,
    replayLock: (queue: string) => `${prefix}jobs.replay.${withoutPrefix(queue, prefix)}`,
    holdingQueue: (queue: string) => `${prefix}jobs.migration.${withoutPrefix(queue, prefix)}`,
    migrationLock: (queue: string) => `${prefix}jobs.migrator.${withoutPrefix(queue, prefix)}`,
  });
}

/** The routing key of a lane on `jobs`: the job type, with the lane's ending. */
export function laneKey(jobType: string, lane: Lane): string {
  return lane === 'normal' ? jobType : `${jobType}.${lane}`;
}

function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function checkNamespace(namespace: unknown): void {
  const problem = problemOf(namespace);
  if (problem) {
    throw new ConfigInvalidError('namespace', `${JSON.stringify(namespace)} ${problem}`);
  }
}

function problemOf(namespace: unknown): string | undefined {
  if (typeof namespace !== 'string' || !PATTERN.test(namespace)) {
    return 'must be one word of lower-case letters, digits, "_" and "-" that begins with a letter';
  }
  if (namespace.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  return RESERVED.includes(namespace) ? 'is reserved' : undefined;
}
