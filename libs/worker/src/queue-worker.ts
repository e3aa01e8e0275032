import type { Consumer, Delivery } from '@warren/broker';
import {
  alertLimitsOf,
  type CancelRequest,
  cancelGraceOfStopMs,
  longestWaitMs,
  type QueueCounts,
  ShuttingDownError,
} from '@warren/contracts';
import { initialiseQueueMetrics, type Metrics, onCollect, rememberNews } from '@warren/telemetry';
import { RETRY_TIERS } from '@warren/topology';
import { BreakerGate } from './breaker-gate.ts';
import { Executor } from './executor.ts';
import type { HandlerRegistration } from './handle.ts';
import type { LeaseSweep } from './lease-sweep.ts';
import { meterOfQueue } from './metered-queue.ts';
import { Mover } from './mover.ts';
import { Pardons } from './pardons.ts';
import { Pauses } from './pauses.ts';
import type { QueueLevel } from './queue-level.ts';
import { QueueMetrics } from './queue-metrics.ts';
import {
  historyOf,
  keyedQueueOf,
  levelOf,
  longPartsOf,
  meterOf,
  onceGateOf,
  onRanOf,
  pardon,
  slotsOf,
} from './queue-parts.ts';
import type { QueueWorkerOptions } from './queue-worker-options.ts';
import { Settler } from './settle.ts';
import type { StartsWork } from './slots.ts';
import { within } from './within.ts';

/** The last moves of a shutdown are tried once; a broker that does not answer them by then gets the jobs back unasked. */
const MAX_RELEASE_MS = 2_000;

/** Consumes one queue and runs its handler, as many at once as allowed. */
export class QueueWorker {
  readonly queue: string;
  readonly #level: QueueLevel;
  readonly #definition: HandlerRegistration['definition'];
  readonly #consumer: Consumer;
  readonly #gate: BreakerGate;
  readonly #executor: Executor;
  readonly #sweep: LeaseSweep | undefined;
  readonly #lane: QueueWorkerOptions['lane'];
  readonly #slots: StartsWork<Delivery>;
  readonly #mover: Mover;
  readonly #maxWaitMs: number;
  readonly #pauses: Pauses;
  readonly #stopCollecting: () => void;
  #overdueTimer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #stopping = false;

  constructor(options: QueueWorkerOptions) {
    const { broker, registration, role, metrics, logger } = options;
    const { definition } = registration;
    const { names } = broker.topology;
    this.#definition = definition;
    this.#lane = options.lane;
    this.#level = levelOf(options);
    this.queue =
      role === 'work'
        ? names.laneQueue(definition.type, options.lane?.name ?? 'normal')
        : names.suspectQueue(definition.type);
    this.#maxWaitMs = longestWaitMs(definition, options.consumerTimeoutMs);
    const { depth, startWithinMs } = alertLimitsOf(definition, options.lane?.name ?? 'normal');
    initialiseQueueMetrics(metrics, {
      queue: this.queue,
      jobType: definition.type,
      role,
      handlerTimeoutSeconds: definition.timeoutMs / 1_000,
      depthLimit: depth,
      startWithinSeconds: startWithinMs / 1_000,
    });
    const queueMeter = meterOfQueue(options, this.queue);
    const counted = { queue: this.queue, jobType: definition.type, startWithinMs };
    const queueMetrics = new QueueMetrics(metrics, counted, queueMeter);
    const pardons = new Pardons();
    const history = options.history && historyOf(options, options.history);
    const isNews = rememberNews();
    this.#mover = new Mover(broker, {
      onFailing: (problem) => {
        queueMetrics.moveRepeated();
        if (isNews('move', problem)) {
          logger.error({ queue: this.queue, problem }, 'a move failed; the queue is paused');
        }
        this.#pauses.set('move_failing', true);
      },
      onRecovered: () => {
        isNews('move', '');
        this.#pauses.set('move_failing', false);
      },
    });
    const settler = new Settler({
      broker,
      mover: this.#mover,
      openMoves: options.openMoves,
      metrics: queueMetrics,
      logger,
      queue: { queue: this.queue, jobType: definition.type },
      tiers: RETRY_TIERS,
      history,
    });
    this.#gate = new BreakerGate({
      breakers: options.breakers,
      guard: options.guard,
      jobType: definition.type,
      settler,
      logger,
      onOpen: (isOpen) => this.#pauses.set('breaker', isOpen),
      onHeldTooLong: () => this.#releaseHeld(),
    });
    const { gate, keyed } = keyedQueueOf(options, {
      inner: this.#gate,
      settler,
      executor: () => this.#executor,
      slots: () => this.#slots,
      maxHeld: () => this.#level.maxHeld,
      place: (delivery) => this.#place(delivery),
      onPause: (isPaused) => this.#pauses.set('rate_limit', isPaused),
      onHeldTooLong: () => this.#releaseHeld(),
    });
    const parts = { settler, metrics: queueMetrics };
    const meter = meterOf(options, () => this.#slots.busy);
    const long = longPartsOf(options, { ...parts, from: this.queue });
    this.#sweep = long?.sweep;
    this.#executor = new Executor({
      registration,
      queue: {
        name: this.queue,
        isSuspectQueue: role === 'suspect',
        eventsExchange: registration.subscription && names.events,
      },
      settler,
      metrics: queueMetrics,
      logger,
      pardons,
      openMoves: options.openMoves,
      history,
      cancellations: options.cancellations,
      gate,
      once: onceGateOf(options, parts),
      long: long?.gate,
      onRan: onRanOf(meter, keyed),
    });
    const execute = (delivery: Delivery) => this.#executor.execute(delivery);
    const run = keyed ? (delivery: Delivery) => keyed.start(delivery, execute) : execute;
    this.#slots = slotsOf(options, this.#level.concurrency, {
      start: meter?.around(run) ?? run,
      line: keyed?.line,
      abandoned: () => this.#executor.abandoned,
    });
    this.#consumer = broker.consume({
      queue: this.queue,
      prefetch: this.#level.prefetch,
      onDelivery: (delivery) => {
        // Whether it runs or waits: it is not the job's fault, as long as this process lives.
        delivery.onLost(() => pardon(pardons, delivery));
        queueMetrics.delivered(delivery.message.fields);
        if (keyed) keyed.receive(delivery, () => this.#place(delivery));
        else this.#place(delivery);
      },
      onLateSettle: () => queueMetrics.settledLate(),
      onPrefetch: (prefetch) => queueMetrics.prefetch(prefetch),
      onLost: (reason) => {
        // Unless a handler blocked the event loop, and so the heartbeats: then the job may be to blame.
        if (!options.loopWatch.stoodStill()) pardons.addLoss();
        this.#slots.remove(({ isLost }) => isLost);
        logger.warn({ queue: this.queue, reason }, 'the consumer was lost');
      },
      onProblem: (problem) => {
        if (isNews('consume', problem)) {
          logger.error({ queue: this.queue, problem }, 'cannot consume; trying again');
        }
      },
    });
    this.#pauses = new Pauses(
      {
        pause: () => this.#consumer.pause(),
        resume: async () => {
          if (this.#isStarted && !this.#stopping) await this.#consumer.resume();
        },
      },
      (reason, isPaused) => queueMetrics.paused(reason, isPaused),
    );
    this.#stopCollecting = onCollect(metrics, () => this.#collect(metrics));
  }

  /** False when every slot is held by a handler that ignored its abort: only a new process helps. */
  get isHealthy(): boolean {
    const { abandoned } = this.#lane?.slots ?? this.#executor;
    return abandoned < this.#slots.limit;
  }

  /** The job type or subscriber. */
  get name(): string {
    return this.#definition.type;
  }

  /** Ids of the runs under way. */
  get runs(): string[] {
    return this.#executor.runs;
  }

  /** Asks the handlers of a job to stop for good. */
  cancel(request: CancelRequest): void {
    this.#executor.cancel(request);
  }

  /** Stops taking jobs, and gives back what has not started; or takes them again. What runs goes on. */
  setPaused(isPaused: boolean): void {
    if (this.#pauses.set('operator', isPaused) && isPaused) this.#releaseHeld();
  }

  /** What an operator has set, in place of what code and environment say; undefined for nothing. Suspects stay one at a time. */
  setCounts(counts: QueueCounts = {}): void {
    if (this.#level.setByOperator(counts)) this.adapt();
  }

  /** Runs and fetches as many as are to be now. */
  adapt(): void {
    this.#slots.resize(this.#level.concurrency);
    const prefetch = this.#level.changedPrefetch();
    if (prefetch !== undefined) void this.#consumer.setPrefetch(prefetch);
  }

  start(): void {
    if (this.#stopping) return;
    this.#isStarted = true;
    this.#consumer.start();
    this.#sweep?.start();
    if (this.#pauses.any) void this.#consumer.pause();
    this.#overdueTimer = setInterval(() => this.#releaseOverdue(), this.#maxWaitMs / 4).unref();
  }

  /** First phase: takes nothing more, and gives back what has not started. */
  async quiesce(): Promise<void> {
    this.#stopping = true;
    clearInterval(this.#overdueTimer);
    this.#executor.startNoMore();
    // Not one after the other: a broker that does not answer must not keep what waits here from being given up.
    const paused = this.#consumer.pause();
    const waiting = this.#slots.remove(() => true);
    const given = waiting.map((one) => this.#executor.release(one));
    await Promise.all([paused, this.#sweep?.stop(), ...given]);
  }

  /**
   * Second phase: lets what runs end; then aborts it and gives the jobs back, unspent. All within `graceMs`: the time to
   * end after the abort is taken off its end, so that whoever stops the process does not cut it off in the middle.
   */
  async drain(graceMs: number): Promise<void> {
    const settled = this.#executor.whenSettled();
    const cancelGraceMs = cancelGraceOfStopMs(this.#definition, graceMs);
    if (await within(graceMs - cancelGraceMs, settled)) return;
    this.#mover.giveUp();
    this.#executor.abortAll(new ShuttingDownError(this.#definition.type));
    if (await within(cancelGraceMs, settled)) return;
    this.#executor.giveUpAll();
    await within(MAX_RELEASE_MS, settled);
  }

  /** Ends the consumer; what is still out goes back to the broker. */
  async close(): Promise<void> {
    this.#mover.giveUp();
    this.#executor.close();
    this.#stopCollecting();
    await this.#consumer.close();
  }

  #place(delivery: Delivery): void {
    if (this.#stopping || this.#pauses.has('operator')) void this.#executor.release(delivery);
    else this.#slots.add(delivery);
  }

  #releaseHeld(): void {
    for (const delivery of this.#slots.remove(() => true)) void this.#executor.release(delivery);
    this.#gate.releaseHeld();
  }

  #releaseOverdue(): void {
    const beforeMs = Date.now() - this.#maxWaitMs;
    for (const delivery of this.#slots.remove(({ receivedAtMs }) => receivedAtMs < beforeMs)) {
      void this.#executor.release(delivery);
    }
  }

  #collect(metrics: Metrics): void {
    const { queue } = this;
    const { inFlight, abandoned, oldestStartMs } = this.#executor;
    const oldestMs = oldestStartMs === undefined ? 0 : Date.now() - oldestStartMs;
    metrics.jobs_in_flight.set({ queue }, inFlight);
    metrics.jobs_prefetched.set({ queue }, this.#slots.waiting + this.#gate.held);
    metrics.jobs_concurrency.set({ queue }, this.#slots.limit);
    metrics.jobs_abandoned_handlers.set({ queue }, abandoned);
    metrics.jobs_oldest_in_flight_seconds.set({ queue }, oldestMs / 1_000);
  }
}
