import { type Delivery, readMessage } from '@warren/broker';
import type { HistorySink } from '@warren/history';
import { RETRY_TIERS } from '@warren/topology';
import { LoadMeter } from './adaptive/load-meter.ts';
import type { Executor } from './executor.ts';
import type { ExecutorOptions } from './executor-options.ts';
import type { Gate } from './gate.ts';
import { JobHistory } from './job-history.ts';
import { KeyedQueue } from './keyed-queue.ts';
import type { LaneWork } from './lane-slots.ts';
import { LeaseSweep } from './lease-sweep.ts';
import { LimitGate } from './limit-gate.ts';
import { LongGate } from './long-gate.ts';
import { OnceGate, type OnceGateOptions } from './once-gate.ts';
import type { Pardons } from './pardons.ts';
import { QueueLevel } from './queue-level.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import type { QueueWorkerOptions } from './queue-worker-options.ts';
import { Routes } from './routes.ts';
import type { Settler } from './settle.ts';
import { Slots, type StartsWork } from './slots.ts';
import { typeOf } from './type-of.ts';

/** Keeps the job of a lost delivery from being blamed for it; unless it was the job that took too long. */
export function pardon(pardons: Pardons, delivery: Delivery): void {
  const { id } = readMessage(delivery);
  if (id === undefined) return;
  if (delivery.isOverdue) pardons.addOverdue(id);
  else pardons.add(id);
}

/** The gate of a queue whose jobs run once only. */
export function onceGateOf(
  { registration, claims, claimLeaseMs, worker, logger }: QueueWorkerOptions,
  parts: Pick<OnceGateOptions, 'settler' | 'metrics'>,
): OnceGate | undefined {
  const { once, type } = registration.definition;
  if (!once || !claims) return undefined;
  return new OnceGate({
    claims,
    owner: worker,
    queue: type,
    leaseMs: claimLeaseMs,
    logger,
    ...parts,
  });
}

/** What the keyed queue of a queue's deliveries is made of. */
export interface KeyedQueueParts {
  readonly inner: Gate;
  readonly settler: Settler;
  /** Known by the time when a delivery comes. */
  readonly executor: () => Executor;
  readonly slots: () => StartsWork<Delivery>;
  /** How many that have to wait for a limit may be in hand. */
  maxHeld(): number;
  place(delivery: Delivery): void;
  onPause(isPaused: boolean): void;
  onHeldTooLong(): void;
}

/** For queues with a limit or turns; all others have neither a gate of this kind nor keys. */
export function keyedQueueOf(
  { role, limit, fairBy, keySlots, logger }: QueueWorkerOptions,
  parts: KeyedQueueParts,
): { readonly gate: Gate; readonly keyed: KeyedQueue | undefined } {
  const { inner, executor } = parts;
  if (!limit && !fairBy && !keySlots) return { gate: inner, keyed: undefined };
  // One that is put off is a new message: a suspect would be none any more.
  const maxHeldOf = (isKeyed: boolean) => () =>
    isKeyed && role === 'work' ? parts.maxHeld() : undefined;
  const gate: LimitGate | undefined =
    limit &&
    new LimitGate({
      ...parts,
      ...limit,
      logger,
      maxHeld: maxHeldOf(limit.keyOf !== undefined),
      waiting: (key) => keyed.line.countWhere((keys) => keys.limit === key),
      waitingWhere: (test) =>
        keyed.line.countWhere(({ limit: key }) => key !== undefined && test(key)),
      shed: (key, keep) => keyed.shed(key, keep, parts.place),
      putBack: (delivery) => parts.place(delivery),
      onFree: () => parts.slots().fill(),
    });
  const keyed: KeyedQueue = new KeyedQueue({
    fairBy,
    limitBy: limit?.keyOf,
    keySlots,
    maxHeld: maxHeldOf(keySlots !== undefined),
    gate,
    logger,
    peek: (delivery) => executor().peek(delivery),
    postpone: (delivery, wait) => executor().postpone(delivery, wait),
  });
  return { gate: gate ?? inner, keyed };
}

/** What takes over and sweeps the jobs of a queue whose jobs are long. */
export function longPartsOf(
  { registration, leases, claimLeaseMs, worker, logger, broker, role }: QueueWorkerOptions,
  { settler, metrics, from }: { settler: Settler; metrics: QueueMetrics; from: string },
): { gate: LongGate; sweep: LeaseSweep } | undefined {
  const { long, type } = registration.definition;
  if (!long || !leases) return undefined;
  const shared = {
    owner: worker,
    queue: type,
    isSuspectQueue: role === 'suspect',
    settler,
    metrics,
    logger,
  };
  const routes = new Routes(broker.topology.names, from, RETRY_TIERS);
  const gate = new LongGate({ ...shared, leases, leaseMs: claimLeaseMs, routes });
  return { gate, sweep: new LeaseSweep({ ...shared, terms: gate.terms, from }) };
}

/** Where the deliveries of a queue wait until they may start: lanes share the slots of their job type. */
export function slotsOf(
  { lane }: QueueWorkerOptions,
  concurrency: number,
  work: LaneWork<Delivery>,
): StartsWork<Delivery> {
  return lane ? lane.slots.join(lane.name, work) : new Slots(concurrency, work.start, work.line);
}

/** How many of a queue run at once and are fetched. */
export function levelOf(options: QueueWorkerOptions): QueueLevel {
  const { registration, role, adaptive, history, fairBy, limit, keySlots } = options;
  const isKeyed = [fairBy, limit?.keyOf, keySlots].some((keys) => keys !== undefined);
  return new QueueLevel({
    registration,
    role,
    adaptive,
    hasHistory: history !== undefined,
    isKeyed,
  });
}

/** What learns from the runs of a queue, where its concurrency is to be found out. */
export function meterOf(
  { role, adaptive }: QueueWorkerOptions,
  busy: () => number,
): LoadMeter | undefined {
  if (role === 'suspect' || !adaptive) return undefined;
  return new LoadMeter({ onRun: (run) => adaptive.ended(run), busy });
}

/** Whom to tell that a handler has ended; undefined for nobody. */
export function onRanOf(
  meter: LoadMeter | undefined,
  keyed: KeyedQueue | undefined,
): ExecutorOptions['onRan'] {
  if (!meter && !keyed) return undefined;
  return (delivery, outcome, runMs) => {
    meter?.ran(delivery, outcome, runMs);
    keyed?.ran(delivery);
  };
}

/** What tells of a queue's jobs. */
export function historyOf(
  { registration, worker }: QueueWorkerOptions,
  sink: HistorySink,
): JobHistory {
  return new JobHistory({
    sink,
    worker,
    queue: registration.definition.type,
    typeOf: (message) => typeOf(registration, message),
  });
}
