import type { JobDefinition } from '@warren/contracts';
import type { Topology } from '@warren/topology';
import type { ReplaySource } from './replay-source.ts';

/** The queue that all dead letters of a replay are sent to, in place of the one that each failed in. */
export interface ReplayTarget {
  /** Full name. */
  readonly queue: string;
  /** Exchange that brings them there by the queue's name. */
  readonly exchange: string;
  /** What their payloads must fit; undefined where this installation does not know the job type of the queue. */
  readonly job: JobDefinition | undefined;
  /** Where those are that fail there. */
  readonly dead: ReplaySource;
  /** Not in the topology: perhaps of a subscriber, perhaps a slip. The broker knows. */
  readonly isGuess: boolean;
}

const ENDING = /\.(?:suspect|high|low)$/;
/** What no job is run from. */
const RESERVED = /^(?:jobs|retry|events|amq)\.|^(?:jobs|events)$|\.dead$/;
const MAX_NAME_BYTES = 255;

/** Finds the queue for a job type, or for a queue's name with or without the namespace; undefined for one that no job is run from. */
export function findTarget(
  name: string,
  { names, queues }: Pick<Topology, 'names' | 'queues'>,
  jobs: readonly JobDefinition[],
): ReplayTarget | undefined {
  const prefix = names.namespace === undefined ? '' : `${names.namespace}.`;
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const full = `${prefix}${bare}`;
  const known = queues.find((one) => one.name === full || one.name === name);
  const isWorked = known?.role === 'work' || known?.role === 'suspect';
  if (known && !isWorked) return undefined;
  const job = jobs.find(({ type }) => type === known?.jobType);
  const subject = known?.jobType ?? bare.replace(ENDING, '');
  const dead = { queue: names.deadQueue(subject), workQueue: names.workQueue(subject) };
  if (known) return { queue: known.name, exchange: names.due, job, dead, isGuess: false };
  if (bare === '' || RESERVED.test(bare) || Buffer.byteLength(full) > MAX_NAME_BYTES) {
    return undefined;
  }
  // `due` has an alternate exchange: what it has no binding for would be among the unroutable, and count as sent.
  return { queue: full, exchange: '', job: undefined, dead, isGuess: true };
}
