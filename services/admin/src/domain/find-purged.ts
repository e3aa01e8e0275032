import { findSource, findTarget } from '@warren/dead-letter';
import type { QueueRole, Topology } from '@warren/topology';
import { UsageError } from '../exit-codes.ts';
import { visible } from '../text/visible.ts';

/** What to do with a queue that jobs are not run from. */
const OTHERWISE: Readonly<Partial<Record<QueueRole, string>>> = {
  retry: 'it holds the retries of all job types: use `warren jobs cancel` for single ones',
  stream: 'a stream forgets by its own bounds',
};

/**
 * The full name of a queue whose jobs may be dropped: one that jobs are run from.
 * @throws UsageError that says what to do with another one
 */
export function findPurged(name: string, topology: Pick<Topology, 'names' | 'queues'>): string {
  const { names, queues } = topology;
  const prefix = names.namespace === undefined ? '' : `${names.namespace}.`;
  const target = findTarget(name, topology, []);
  if (target) return target.queue;
  const known = queues.find((one) => one.name === name || one.name === `${prefix}${name}`);
  const why = known && OTHERWISE[known.role];
  if (why !== undefined) throw refused(name, why);
  if (findSource(name, topology)) {
    throw refused(name, `it holds dead letters: use \`warren dead discard ${visible(name)}\``);
  }
  throw refused(name, 'no job is run from it');
}

function refused(name: string, why: string): UsageError {
  return new UsageError(`${visible(name.slice(0, 200))} cannot be purged: ${why}`);
}
