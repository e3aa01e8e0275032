import { ConfigInvalidError } from '@warren/contracts';
import { holdingQueueSpec } from './queues.ts';
import type { BindingSpec, QueueSpec } from './specs.ts';
import type { Topology } from './topology.ts';

/**
 * What gives a queue other arguments: the broker changes none of a queue that exists, so its messages wait in a holding queue
 * while it is deleted and declared again. What would come to it goes there meanwhile.
 */
export interface QueueMigration {
  readonly queue: QueueSpec;
  /** All that bring messages to the queue. */
  readonly bindings: readonly BindingSpec[];
  readonly holding: QueueSpec;
  /** The same, to the holding queue. */
  readonly holdingBindings: readonly BindingSpec[];
  /** Held by whoever migrates it. */
  readonly lock: string;
}

/**
 * The migration of one queue, given by its full name or without the namespace. Only queues that jobs are run from: in a tier
 * messages carry the time at which they go, a stream is no queue, and dead letters carry what the broker says of their death.
 * @throws ConfigInvalidError naming `queue`
 */
export function queueMigration(
  { names, queues, bindings }: Pick<Topology, 'names' | 'queues' | 'bindings'>,
  name: string,
): QueueMigration {
  const full = names.namespace === undefined ? name : `${names.namespace}.${name}`;
  const queue = queues.find((one) => one.name === name) ?? queues.find((one) => one.name === full);
  if (!queue) throw new ConfigInvalidError('queue', `${JSON.stringify(name)} is not a queue here`);
  if (queue.role !== 'work' && queue.role !== 'suspect') {
    throw new ConfigInvalidError(
      'queue',
      `${queue.name} cannot be migrated: ${OTHERWISE[queue.role]}`,
    );
  }
  const holding = holdingQueueSpec(names, queue.name);
  const own = bindings.filter((binding) => binding.queue === queue.name);
  return {
    queue,
    bindings: own,
    holding,
    holdingBindings: own.map((binding) => ({ ...binding, queue: holding.name })),
    lock: names.migrationLock(queue.name),
  };
}

/** What to do with the others. */
const OTHERWISE = {
  dead: 'export its dead letters, delete it, run `warren topology apply`, import them',
  unroutable: 'replay what is in it, delete it, run `warren topology apply`',
  retry: 'once it is empty, delete it and run `warren topology apply`',
  stream: 'a stream goes on with the bounds that it has',
} as const;
