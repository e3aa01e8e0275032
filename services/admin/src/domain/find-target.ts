import type { JobDefinition } from '@warren/contracts';
import { findTarget as find, type ReplayTarget } from '@warren/dead-letter';
import { closestTo } from '@warren/runtime';
import type { Topology } from '@warren/topology';
import { UsageError } from '../exit-codes.ts';
import { visible } from '../text/visible.ts';

/**
 * Finds the queue that dead letters are to be sent to, for a job type or a queue's name.
 * @throws UsageError with a name that is close
 */
export function findTarget(
  name: string,
  topology: Pick<Topology, 'names' | 'queues'>,
  jobs: readonly JobDefinition[],
): ReplayTarget {
  const found = find(name, topology, jobs);
  if (found) return found;
  const types = jobs.map(({ type }) => type);
  const closest = closestTo(name, types, Math.max(2, name.length / 3));
  const hint = closest === undefined ? '' : `; did you mean ${closest}?`;
  const shown = visible(JSON.stringify(name.slice(0, 200)));
  throw new UsageError(`--to: no job is run from ${shown}${hint}`);
}
