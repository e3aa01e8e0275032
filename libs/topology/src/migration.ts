import { ConfigInvalidError } from '@warren/contracts';
import type { Names } from './names.ts';
import { holdingQueueSpec } from './queues.ts';
import type { BindingSpec, ExchangeSpec, QueueSpec } from './specs.ts';
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
  /**
   * Only for what lies and is not run, such as dead letters: the fanout exchange through which exact copies go, under their own
   * routing keys. It is there while the migration is, and among the bindings.
   */
  readonly through: ExchangeSpec | undefined;
  /** Held by whoever migrates it. */
  readonly locks: readonly string[];
}

/**
 * The migration of one queue, given by its full name or without the namespace: one that jobs are run from, dead letters, or the
 * unroutable. What is in a tier leaves by itself, and a stream is no queue.
 * @throws ConfigInvalidError naming `queue`
 */
export function queueMigration(
  { names, queues, bindings }: Pick<Topology, 'names' | 'queues' | 'bindings'>,
  name: string,
): QueueMigration {
  const full = names.namespace === undefined ? name : `${names.namespace}.${name}`;
  const queue = queues.find((one) => one.name === name) ?? queues.find((one) => one.name === full);
  if (!queue) throw new ConfigInvalidError('queue', `${JSON.stringify(name)} is not a queue here`);
  if (queue.role === 'retry' || queue.role === 'stream') {
    throw new ConfigInvalidError(
      'queue',
      `${queue.name} cannot be migrated: ${OTHERWISE[queue.role]}`,
    );
  }
  const holding = holdingQueueSpec(names, queue.name);
  const through = isRun(queue) ? undefined : throughSpec(holding);
  const own = [
    ...bindings.filter((binding) => binding.queue === queue.name),
    ...(through ? [leadFrom(through, queue)] : []),
  ];
  return {
    queue,
    bindings: own,
    holding,
    holdingBindings: own.map((binding) => ({ ...binding, queue: holding.name })),
    through,
    locks: locksOf(names, queue),
  };
}

function isRun({ role }: QueueSpec): boolean {
  return role === 'work' || role === 'suspect';
}

function throughSpec({ name }: QueueSpec): ExchangeSpec {
  return { kind: 'exchange', name, type: 'fanout', arguments: {} };
}

function leadFrom({ name }: ExchangeSpec, queue: QueueSpec): BindingSpec {
  return { kind: 'binding', exchange: name, queue: queue.name, routingKey: '' };
}

/** Who takes dead letters has them in hand for as long as that takes: then they are in no queue that could be emptied. */
function locksOf(names: Names, queue: QueueSpec): readonly string[] {
  const own = names.migrationLock(queue.name);
  return isRun(queue) ? [own] : [own, names.replayLock(queue.name)];
}

/**
 * What to do with the others. What the broker is just bringing from a tier into its queue is in no figure that AMQP shows, so
 * that nobody could tell over AMQP when a tier may be deleted.
 */
const OTHERWISE = {
  retry:
    'its messages leave it when their time is over, and what comes in, or is on its way out, as it is deleted would be lost. ' +
    'Stop all that publishes or works jobs, wait until `rabbitmqctl list_queues name messages` says 0 for it, delete it, run ' +
    '`warren topology apply`, and start all again',
  stream: 'a stream goes on with the bounds that it has',
} as const;
