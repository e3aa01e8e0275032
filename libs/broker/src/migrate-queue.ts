import { QueueInUseError } from '@warren/contracts';
import type { BindingSpec, QueueMigration, TopologyStep } from '@warren/topology';
import type { ChannelModel } from 'amqplib';
import { compareTopology } from './compare-topology.ts';
import { declareStep } from './declare.ts';
import { type MoveAllOptions, type MovingSession, moveAll } from './move-all.ts';
import { queueFigures } from './queue-figures.ts';
import { onQuietChannel } from './quiet-channel.ts';

/** The broker counts a consumer whose connection has ended for some moments more. */
const LEAST_WAIT_MS = 3_000;
const CONSUMER_LOOK_MS = 200;

type Way = Pick<MoveAllOptions, 'from' | 'to' | 'through' | 'lead'>;

/** How far a migration is. `empty` and `fill` move messages. */
export type MigrationStep = 'redirect' | 'empty' | 'replace' | 'fill' | 'clear';

/** How to migrate. */
export interface MigrateOptions {
  /** Aborting it ends the migration between two messages; the next one goes on. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait at first until nobody consumes the queue; 3 seconds, if that is more. */
  readonly waitMs?: number | undefined;
  /** It has so many consumers, and is waited for: told whenever the number is another one. */
  onConsumers?(consumers: number): void;
  onStep?(step: MigrationStep): void;
  /** Messages moved so far, in this step. */
  onMoved?(step: MigrationStep, count: number): void;
}

/** What a queue needs, as the broker shows it. */
export type MigrationState =
  /** It is as declared, and no migration is under way. */
  | 'current'
  /** It is not there, and no migration is under way. */
  | 'missing'
  /** It has other arguments. */
  | 'differs'
  /** A migration has replaced it, and messages are still held. */
  | 'replaced';

/** What a migration did: nothing where the state was `current` or `missing`. */
export interface MigrationReport {
  readonly found: MigrationState;
  /** It was ended by its signal before all was done: begin again, it goes on. */
  readonly isInterrupted: boolean;
  /** Messages moved out. */
  readonly held: number;
  /** Messages moved in. */
  readonly returned: number;
  /** Came past every exchange in the very moment in which a queue was deleted, and were deleted with it. */
  readonly deleted: number;
}

/** Looks at the broker; changes nothing. */
export async function migrationState(
  connection: ChannelModel,
  { queue, holding }: QueueMigration,
): Promise<MigrationState> {
  const [difference] = await compareTopology(connection, { steps: [queue] });
  if (difference?.kind === 'mismatch') return 'differs';
  const isHeld = (await queueFigures(connection, [holding.name])).get(holding.name) !== undefined;
  if (isHeld) return 'replaced';
  return difference ? 'missing' : 'current';
}

/**
 * Gives a queue its declared arguments and loses nothing: what would come to it is led to a holding queue, what is in it is moved
 * there, it is deleted and declared again, and all comes back. Killed at any moment, the next one goes on from what it finds at
 * the broker. The caller holds the migration's locks.
 *
 * Each key is bound to both queues for a moment, so that no publisher is refused: what comes in it comes twice, as one job.
 * @throws QueueInUseError while somebody consumes it: a worker with the old definition would declare it as it was;
 * MessagesLeftError
 */
export async function migrateQueue(
  connection: ChannelModel,
  session: MovingSession,
  migration: QueueMigration,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  const found = await migrationState(connection, migration);
  const report = { found, isInterrupted: false, held: 0, returned: 0, deleted: 0 };
  if (found === 'current' || found === 'missing') return report;
  const { queue, bindings, holding, holdingBindings, through } = migration;
  const { signal } = options;
  const declare = (...steps: readonly TopologyStep[]) =>
    onQuietChannel(connection, async (channel) => {
      for (const step of steps) await declareStep(channel, step);
    });
  const move = (step: MigrationStep, way: Omit<Way, 'through'>) => {
    options.onStep?.(step);
    const onMoved = (count: number) => options.onMoved?.(step, count);
    return moveOut(connection, session, { ...way, through: through?.name, signal, onMoved });
  };
  if (found === 'differs') {
    await refuseConsumers(connection, queue.name, options);
    if (signal?.aborted) return { ...report, isInterrupted: true };
    options.onStep?.('redirect');
    await declare(holding, ...(through ? [through] : []));
    const lead = () => rebind(connection, holdingBindings, bindings);
    report.held = await move('empty', { from: queue.name, to: holding.name, lead });
    if (signal?.aborted) return { ...report, isInterrupted: true };
    options.onStep?.('replace');
    // Neither "if empty" nor "if unused": asked so of a quorum queue, the broker closes the connection.
    const gone = await onQuietChannel(connection, (channel) => channel.deleteQueue(queue.name));
    report.deleted = gone.messageCount;
  }
  await declare(queue, ...(through ? [through] : []));
  const lead = () => rebind(connection, bindings, holdingBindings);
  report.returned = await move('fill', { from: holding.name, to: queue.name, lead });
  if (signal?.aborted) return { ...report, isInterrupted: true };
  options.onStep?.('clear');
  // The queue last: while it is there, the next one knows that there is something left to do.
  if (through) await onQuietChannel(connection, (channel) => channel.deleteExchange(through.name));
  const gone = await onQuietChannel(connection, (channel) => channel.deleteQueue(holding.name));
  report.deleted += gone.messageCount;
  return report;
}

/** Moves all out of a queue that is to be deleted, until nobody has any of it in hand either. */
async function moveOut(
  connection: ChannelModel,
  session: MovingSession,
  { onMoved, ...way }: MoveAllOptions,
): Promise<number> {
  await way.lead();
  for (let moved = 0; ; ) {
    const before = moved;
    moved += await moveAll(session, { ...way, onMoved: (count) => onMoved?.(before + count) });
    if (way.signal?.aborted || (await isEmpty(connection, way.from))) return moved;
  }
}

/** As its last consumer, the one that moved, has left it. @throws QueueInUseError */
async function isEmpty(connection: ChannelModel, queue: string): Promise<boolean> {
  await refuseConsumers(connection, queue);
  const figures = (await queueFigures(connection, [queue])).get(queue);
  return !figures || (figures.ready === 0 && figures.consumers === 0);
}

/**
 * A quorum queue counts also a consumer that was cancelled, for as long as it has messages in hand, and takes those back with the
 * step that ends it (measured on 3.10.8 and 4.3.6): no consumers, and nothing can come back. A classic queue does neither.
 */
async function refuseConsumers(
  connection: ChannelModel,
  queue: string,
  { waitMs = 0, onConsumers, signal }: MigrateOptions = {},
): Promise<void> {
  const deadlineMs = performance.now() + Math.max(waitMs, LEAST_WAIT_MS);
  for (let told = 0; ; ) {
    const consumers = (await queueFigures(connection, [queue])).get(queue)?.consumers ?? 0;
    if (consumers === 0 || signal?.aborted) return;
    if (performance.now() >= deadlineMs) throw new QueueInUseError(queue, consumers);
    if (consumers !== told) onConsumers?.(consumers);
    told = consumers;
    await new Promise((wake) => setTimeout(wake, CONSUMER_LOOK_MS));
  }
}

/** The new one first: between the two no message is without a queue. */
async function rebind(
  connection: ChannelModel,
  to: readonly BindingSpec[],
  from: readonly BindingSpec[],
): Promise<void> {
  await onQuietChannel(connection, async (channel) => {
    for (const binding of to) await declareStep(channel, binding);
    for (const { queue, exchange, routingKey } of from) {
      await channel.unbindQueue(queue, exchange, routingKey);
    }
  });
}
