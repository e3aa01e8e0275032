import { LANES } from '@warren/contracts';
import type { Topology } from '@warren/topology';
import type { ReplaySource } from './replay-source.ts';

/** Where the dead letters are that somebody asked for. */
export interface FoundSource extends ReplaySource {
  /** Undefined for the unroutable, and for queues that are not in the topology. */
  readonly jobType: string | undefined;
  /** Not in the topology: perhaps of a job type that is gone, perhaps a slip. The broker knows. */
  readonly isGuess: boolean;
}

const ENDING = '.dead';
const MAX_NAME_BYTES = 255;

/** Finds the queue for a job type, or a queue's name with or without the namespace; undefined for what can be neither. */
export function findSource(
  name: string,
  { names, queues }: Pick<Topology, 'names' | 'queues'>,
): FoundSource | undefined {
  const prefix = names.namespace === undefined ? '' : `${names.namespace}.`;
  const full = name.startsWith(prefix) ? name : `${prefix}${name}`;
  const matches = [name, full];
  if (matches.includes(names.unroutable)) {
    return { queue: names.unroutable, workQueue: undefined, jobType: undefined, isGuess: false };
  }
  for (const { role, jobType } of queues) {
    if (role !== 'dead' || jobType === undefined) continue;
    const queue = names.deadQueue(jobType);
    const workQueue = names.workQueue(jobType);
    const lanes = LANES.map((lane) => names.laneQueue(jobType, lane));
    if (name === jobType || [queue, ...lanes].some((one) => matches.includes(one))) {
      return { queue, workQueue, jobType, isGuess: false };
    }
  }
  if (!full.endsWith(ENDING) || Buffer.byteLength(full) > MAX_NAME_BYTES) return undefined;
  const workQueue = full.slice(0, -ENDING.length);
  return { queue: full, workQueue, jobType: undefined, isGuess: true };
}
