import { type BreakerDeps, type BreakerOptions, Breakers, type BreakerView } from '@warren/breaker';
import { Broker, type ConnectionSettings, type PublisherOptions } from '@warren/broker';
import { resolveTimes } from '@warren/contracts';
import { Limits, type LimitsPort } from '@warren/limiter';
import { type Logger, type Metrics, observeConnections } from '@warren/telemetry';
import { buildTopology } from '@warren/topology';
import { announceHoldingQueues } from './announce-holding-queues.ts';
import { Cancellations } from './cancellations.ts';
import { checkRegistrations } from './check-registrations.ts';
import type { ClaimsPort } from './claims-port.ts';
import { withCounts } from './concurrency.ts';
import { ControlReader } from './control-reader.ts';
import { EventBindings } from './event-bindings.ts';
import { guardOf } from './guard.ts';
import type { HandlerRegistration } from './handle.ts';
import { jobKeySlotsOf } from './job-key-slots.ts';
import { type KeyOf, keyOfOption } from './job-keys.ts';
import { jobLimitOf } from './job-limit.ts';
import type { LeasesPort } from './leases-port.ts';
import { LoopWatch } from './loop-watch.ts';
import { OpenMoves } from './open-moves.ts';
import type { QueueWorker } from './queue-worker.ts';
import { workersOf } from './type-queues.ts';
import { within } from './within.ts';
import { newWorkerId, WorkerHistory, type WorkerHistoryOptions } from './worker-history.ts';

/** What `createWorker` needs. */
export interface WorkerOptions {
  readonly connection: ConnectionSettings;
  /** Name of the service, shown in the broker's console. */
  readonly service: string;
  readonly namespace?: string | undefined;
  readonly handlers: readonly HandlerRegistration[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /**
   * Handlers that may run at once, by job type or subscriber: goes before what `handle` and the definition say. Those that
   * this worker does not handle are left alone, so that processes can share one setting.
   */
  readonly concurrency?: Readonly<Record<string, number>> | undefined;
  /** The same for `prefetch`. */
  readonly prefetch?: Readonly<Record<string, number>> | undefined;
  /** How long running handlers may go on after `stop()`, the cancel grace at its end included. Default 20,000. */
  readonly shutdownGraceMs?: number | undefined;
  /** The broker's own `consumer_timeout`, which a handler's timeout must stay below. Default 1,800,000, as RabbitMQ's. */
  readonly consumerTimeoutMs?: number | undefined;
  readonly publish?: PublisherOptions | undefined;
  /**
   * Tells what happens to jobs, and hears which are cancelled and which queues are paused. Default false. Jobs do not wait
   * for it: what cannot be told is kept in memory, within bounds.
   */
  readonly history?: boolean | WorkerHistoryOptions | undefined;
  /** Circuit breakers by name, for handlers that name one and for `context.breaker`. */
  readonly breakers?: Readonly<Record<string, BreakerOptions>> | undefined;
  /** Needed by limits of all processes together: the limits of the store. */
  readonly limits?: LimitsPort | undefined;
  /** Needed by job types with `once`: the claims of the store. */
  readonly claims?: ClaimsPort | undefined;
  /** Needed by job types with `long`: the leases of the store. */
  readonly leases?: LeasesPort | undefined;
  /** How long a claim or lease lasts unless it is renewed, which it is three times as often. Default 30,000. */
  readonly claimLeaseMs?: number | undefined;
}

/** Whether jobs are being consumed, and what is wrong, by part. */
export interface WorkerReadiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/** Runs handlers for jobs. Made by `createWorker`. */
export interface Worker {
  /** Begins to consume, now or as soon as there is a broker; resolves without waiting for one. */
  start(): Promise<void>;
  /**
   * Takes no more jobs, gives back what has not started, lets what runs end within the grace time, then aborts it and
   * gives it back unspent, and disconnects. Bounded, also when the broker is gone. Safe to call twice.
   */
  stop(): Promise<void>;
  readiness(): WorkerReadiness;
  /** Circuit breakers with the states of their circuits in this process. */
  breakers(): BreakerView[];
  /** False when handlers that ignored their abort hold every slot of a queue: restart the process. */
  isHealthy(): boolean;
}

/** Giving back what has not started must not eat the grace time of what runs. */
const MAX_QUIESCE_MS = 5_000;

/**
 * A worker for a set of job types: each has its own queue, channel and slots, so that trouble with one does not hold up
 * another.
 * @throws ConfigInvalidError naming the setting
 */
export function createWorker(options: WorkerOptions): Worker {
  const { connection, service, namespace, logger, metrics } = options;
  const handlers = options.handlers.map((one) => withCounts(one, options));
  checkRegistrations(handlers, options);
  const times = resolveTimes(
    { ...options, publishTimeoutMs: options.publish?.timeoutMs },
    handlers.map(({ definition }) => definition),
  );
  const breakers = breakersOf(options, (change) => history?.circuits.note(change));
  const guards = new Map(handlers.map((one) => [one, guardOf(one, breakers)]));
  const limits = new Limits({ global: options.limits, logger, metrics });
  const jobLimits = new Map(handlers.map((one) => [one, jobLimitOf(one, limits)]));
  const keySlots = new Map(handlers.map((one) => [one, jobKeySlotsOf(one)]));
  const turns = new Map(handlers.map((one) => [one, fairByOf(one)]));
  const historyOptions = toHistoryOptions(options.history);
  const topology = buildTopology({
    ...(namespace !== undefined && { namespace }),
    history: historyOptions,
    jobTypes: handlers.flatMap(({ definition, subscription }) =>
      subscription ? [] : [definition],
    ),
    subscribers: handlers.flatMap(({ definition, subscription }) =>
      subscription ? [{ name: definition.type, patterns: subscription.patterns }] : [],
    ),
  });
  const jobTypes = handlers.map(({ definition }) => definition.type);
  announceHoldingQueues(metrics, topology.names, jobTypes);
  const broker = new Broker({
    connection,
    service,
    topology,
    publisher: options.publish,
    events: observeConnections(logger, metrics),
  });
  const openMoves = new OpenMoves();
  const loopWatch = new LoopWatch();
  const worker = newWorkerId(service);
  const history =
    historyOptions &&
    new WorkerHistory({
      broker,
      service,
      worker,
      logger,
      metrics,
      spool: historyOptions.spool,
      runs: () => queues.flatMap(({ runs }) => runs),
      breakers,
      limits,
    });
  const cancellations = new Cancellations();
  const queues: readonly QueueWorker[] = handlers.flatMap((registration) =>
    workersOf({
      broker,
      registration,
      logger,
      metrics,
      openMoves,
      loopWatch,
      consumerTimeoutMs: times.consumerTimeoutMs,
      worker,
      history: history?.sink,
      cancellations,
      breakers,
      guard: guards.get(registration),
      limit: jobLimits.get(registration),
      keySlots: keySlots.get(registration),
      fairBy: turns.get(registration),
      claims: options.claims,
      leases: options.leases,
      claimLeaseMs: times.claimLeaseMs,
    }),
  );
  const eventBindings = new EventBindings(broker);
  const control = history && controlOf({ broker, logger, cancellations, breakers, limits, queues });
  let startProblem = 'cancellations and pauses are being read';
  let stopping: Promise<void> | undefined;
  return {
    async start() {
      eventBindings.start();
      history?.start();
      loopWatch.start();
      const begin = () => {
        startProblem = 'ok';
        for (const queue of queues) queue.start();
      };
      if (control) void control.start().then(begin);
      else begin();
    },
    stop() {
      eventBindings.stop();
      stopping ??= stop({ broker, queues, history, control }, times.shutdownGraceMs).finally(() => {
        loopWatch.stop();
        breakers.close();
      });
      return stopping;
    },
    readiness() {
      const checks = { ...broker.checks(), ...(control && { control: startProblem }) };
      return { ready: Object.values(checks).every((check) => check === 'ok'), checks };
    },
    breakers: () => breakers.view(),
    isHealthy: () => queues.every((queue) => queue.isHealthy),
  };
}

function breakersOf(
  { breakers = {}, logger, metrics }: WorkerOptions,
  onChange: BreakerDeps['onChange'],
): Breakers {
  const known = new Breakers({ logger, metrics, onChange });
  for (const [name, options] of Object.entries(breakers)) known.define(name, options);
  return known;
}

function fairByOf({ definition, options }: HandlerRegistration): KeyOf | undefined {
  return keyOfOption(options.fairBy ?? definition.fairBy, `job ${definition.type}: fairBy`);
}

function toHistoryOptions(history: WorkerOptions['history']): WorkerHistoryOptions | undefined {
  if (typeof history === 'object') return history;
  return history === true ? {} : undefined;
}

/** Hears what is cancelled, paused, held open or closed, and how much is to run at once, for all queues of a worker. */
function controlOf(parts: {
  broker: Broker;
  logger: Logger;
  cancellations: Cancellations;
  breakers: Breakers;
  limits: Limits;
  queues: readonly QueueWorker[];
}): ControlReader {
  const { broker, logger, cancellations, breakers, limits, queues } = parts;
  return new ControlReader({
    broker,
    logger,
    onCancel(request) {
      cancellations.note(request);
      for (const queue of queues) queue.cancel(request);
    },
    onSnapshot({ pausedQueues, breakers: overrides = {}, concurrency = {}, limits: rates = {} }) {
      breakers.force(overrides);
      limits.override(rates);
      const paused = new Set(pausedQueues);
      for (const queue of queues) {
        queue.setPaused(paused.has(queue.name));
        queue.setCounts(Object.hasOwn(concurrency, queue.name) ? concurrency[queue.name] : {});
      }
    },
  });
}

interface Parts {
  readonly broker: Broker;
  readonly queues: readonly QueueWorker[];
  readonly history: WorkerHistory | undefined;
  readonly control: ControlReader | undefined;
}

async function stop({ broker, queues, history, control }: Parts, graceMs: number): Promise<void> {
  const endsAtMs = performance.now() + graceMs;
  await within(
    Math.min(MAX_QUIESCE_MS, graceMs / 2),
    Promise.all(queues.map((queue) => queue.quiesce())),
  );
  const leftMs = Math.max(0, endsAtMs - performance.now());
  await Promise.all(queues.map((queue) => queue.drain(leftMs)));
  await Promise.all([control?.close(), ...queues.map((queue) => queue.close())]);
  // After the last acks, which may be held for it, and as long as it can publish.
  await history?.close();
  await broker.close();
}
