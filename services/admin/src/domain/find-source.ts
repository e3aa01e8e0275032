import { type FoundSource, findSource as find } from '@warren/dead-letter';
import { closestTo } from '@warren/runtime';
import type { Topology } from '@warren/topology';
import { UsageError } from '../exit-codes.ts';
import { visible } from '../text/visible.ts';

/**
 * Finds the queue for a job type, or a queue's name with or without the namespace.
 * @throws UsageError with names that are close
 */
export function findSource(
  name: string,
  topology: Pick<Topology, 'names' | 'queues'>,
): FoundSource {
  const found = find(name, topology);
  if (!found) throw unknownSource(name, topology);
  return found;
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
