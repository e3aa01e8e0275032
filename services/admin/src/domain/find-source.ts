import { LANES } from '@warren/contracts';
import type { ReplaySource } from '@warren/dead-letter';
import { closestTo } from '@warren/runtime';
import type { Topology } from '@warren/topology';
import { UsageError } from '../exit-codes.ts';
import { visible } from '../text/visible.ts';

/** Where the dead letters are that somebody asked for. */
export interface FoundSource extends ReplaySource {
  /** Undefined for the unroutable, and for queues that are not in the topology. */
  readonly jobType: string | undefined;
  /** Not in the topology: perhaps of a job type that is gone, perhaps a slip. The broker knows. */
  readonly isGuess: boolean;
}

const ENDING = '.dead';

/**
 * Finds the queue for a job type, or a queue's name with or without the namespace.
 * @throws UsageError with names that are close
 */
export function findSource(
  name: string,
  { names, queues }: Pick<Topology, 'names' | 'queues'>,
): FoundSource {
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
  if (!full.endsWith(ENDING) || full.length > 255) throw unknownSource(name, { names, queues });
  const workQueue = full.slice(0, -ENDING.length);
  return { queue: full, workQueue, jobType: undefined, isGuess: true };
}

/** For a name that is neither a job type nor a queue. */
export function unknownSource(
  name: string,
  { names, queues }: Pick<Topology, 'names' | 'queues'>,
): UsageError {
  const known = queues.flatMap(({ role, jobType, name: queue }) =>
    role === 'dead' && jobType !== undefined ? [jobType, queue] : [],
  );
  const closest = closestTo(name, [...known, names.unroutable], Math.max(2, name.length / 3));
  const hint =
    closest === undefined
      ? `known: ${[...known.filter((_, at) => at % 2 === 0).slice(0, 20), names.unroutable].join(', ')}`
      : `did you mean ${closest}?`;
  return new UsageError(
    `${visible(JSON.stringify(name.slice(0, 200)))} is no job type and no queue of dead letters; ${hint}`,
  );
}
