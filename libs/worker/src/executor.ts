import { type Delivery, type ReceivedMessage, readMessage } from '@warren/broker';
import {
  type CancelRequest,
  ClaimLostError,
  DeliveryLostError,
  type Job,
  LeaseLostError,
  newJobId,
  type PayloadDefinition,
  redactorOf,
} from '@warren/contracts';
import { type Decision, decide } from '@warren/retry';
import type { Logger } from '@warren/telemetry';
import { type Admission, admit, isEnd } from './admit.ts';
import type { EndedRun } from './ended-run.ts';
import { type Entered, Entrance } from './entrance.ts';
import type { ExecutedQueue, ExecutorOptions } from './executor-options.ts';
import type { Gate } from './gate.ts';
import type { HandlerRegistration } from './handle.ts';
import type { Held } from './held.ts';
import { type Identified, isIdentified } from './identified.ts';
import type { JobHistory } from './job-history.ts';
import type { OpenMoves } from './open-moves.ts';
import type { Pardons } from './pardons.ts';
import type { Passage } from './passage.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import { type PayloadRead, readPayload } from './read-payload.ts';
import { RunContext } from './run-context.ts';
import { type Run, runHandler } from './run-handler.ts';
import { journalOf } from './run-journal.ts';
import { RunTraces } from './run-traces.ts';
import { RunningHandler, RunningHandlers } from './running.ts';
import type { Postponement, Settler } from './settle.ts';
import { toJob } from './to-job.ts';
import { definitionOf, typeOf } from './type-of.ts';

/** A suspect waits for the moves under way, but not for ever. */
const SUSPECT_WAIT_MS = 2_000;

const NEWER_PAYLOAD_WAIT_MS = 30_000;

/**
 * One delivery's path: read → admit → decode → schema → handler → outcome → decide → settle. Each step is a file of
 * its own; this one only leads through them.
 */
export class Executor {
  readonly #registration: HandlerRegistration;
  readonly #queue: ExecutedQueue;
  readonly #settler: Settler;
  readonly #traces: RunTraces;
  readonly #metrics: QueueMetrics;
  readonly #logger: Logger;
  readonly #pardons: Pardons;
  readonly #openMoves: OpenMoves;
  readonly #history: JobHistory | undefined;
  readonly #onRan: ExecutorOptions['onRan'];
  readonly #gate: Gate;
  readonly #entrance: Entrance;
  readonly #running = new RunningHandlers();
  #abandoned = 0;
  #unsettled = 0;
  #onSettled: (() => void) | undefined;

  constructor(options: ExecutorOptions) {
    this.#registration = options.registration;
    this.#queue = options.queue;
    this.#settler = options.settler;
    this.#traces = new RunTraces(options);
    this.#metrics = options.metrics;
    this.#logger = options.logger;
    this.#pardons = options.pardons;
    this.#openMoves = options.openMoves;
    this.#history = options.history;
    this.#onRan = options.onRan;
    this.#gate = options.gate;
    this.#entrance = new Entrance({ ...options, queue: options.registration.definition.type });
  }

  /** Handlers at work whose jobs are not settled yet. */
  get inFlight(): number {
    return this.#running.count;
  }

  /** Ids of their runs. */
  get runs(): string[] {
    return this.#running.runs;
  }

  /** Handlers that were given up and still hold their slots. */
  get abandoned(): number {
    return this.#abandoned;
  }

  /** When the oldest running handler started, ms since 1970; undefined when none runs. */
  get oldestStartMs(): number | undefined {
    return this.#running.oldestStartMs;
  }

  /** Takes a delivery to its end. Resolves when its slot is free, which for an abandoned handler is later; never rejects. */
  async execute(delivery: Delivery): Promise<void> {
    if (delivery.isLost || delivery.isSettled) return;
    this.#unsettled += 1;
    let run: Run | undefined;
    try {
      run = await this.#lead(delivery, this.#read(delivery));
    } catch (error) {
      // Unforeseen, so our own fault: the broker moves the message to the dead letters as it is.
      const { name } = this.#queue;
      this.#logger.fatal({ err: error, queue: name }, 'a delivery could not be settled');
      delivery.reject();
    }
    this.#endOne();
    if (run?.ended) await this.#awaitAbandoned(delivery, run.ended);
  }

  /** Resolves when every delivery that was begun is settled, whether or not its handler has ended. One waiter. */
  async whenSettled(): Promise<void> {
    if (this.#unsettled === 0) return;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
    });
  }

  /** Gives back a delivery that has not started. */
  async release(delivery: Delivery): Promise<void> {
    if (delivery.isLost) return;
    this.#unsettled += 1;
    await this.#settler.release(delivery, this.#read(delivery)).finally(() => this.#endOne());
  }

  /** Puts off a delivery that has not started, for others' reasons. */
  async postpone(delivery: Delivery, wait: Postponement): Promise<void> {
    const message = this.#read(delivery);
    if (delivery.isLost || !isIdentified(message)) return this.release(delivery);
    this.#unsettled += 1;
    await this.#settler.postpone(delivery, message, wait).finally(() => this.#endOne());
  }

  /** The job that a delivery holds; undefined for one that is settled without a run. */
  peek(delivery: Delivery): Job | undefined | Promise<Job | undefined> {
    const message = this.#read(delivery);
    if (this.#admit(message).kind !== 'run' || !isIdentified(message)) return undefined;
    const type = typeOf(this.#registration, message);
    const jobOf = (read: PayloadRead) =>
      'value' in read ? toJob(delivery, message, read.value, type) : undefined;
    const reading = readPayload(delivery, message, this.#payloadOf(message));
    return reading instanceof Promise ? reading.then(jobOf) : jobOf(reading);
  }

  /** From now on no handler is started; a delivery that is still being checked is given back. */
  startNoMore(): void {
    this.#gate.stop();
    this.#entrance.close();
  }

  /** Asks every running handler to stop. */
  abortAll(reason: Error): void {
    this.#entrance.giveUp();
    this.#running.abortAll(reason);
  }

  /** Asks the handlers of a job to stop for good. */
  cancel(request: CancelRequest): void {
    this.#running.cancel(request, this.#registration.definition.type);
  }

  /** Keeps nothing any more, and waits for nobody. */
  close(): void {
    this.#entrance.giveUp();
  }

  /** Settles every running handler's job without waiting for the handler. */
  giveUpAll(): void {
    this.#running.giveUpAll();
  }

  /**
   * The run that was settled; undefined when none was begun. Not its `ended` alone: to return that is to wait for it. What
   * answers at once is not awaited: each promise of a job takes half a microsecond, since log lines are to know their job.
   */
  async #lead(delivery: Delivery, message: ReceivedMessage): Promise<Run | undefined> {
    const admission = this.#admit(message);
    if (admission.kind !== 'run') {
      if (isEnd(admission) && (await this.#entrance.settlesDone(delivery, message)))
        return undefined;
      await this.#traces.refuse(delivery, message, admission);
      return undefined;
    }
    const admitted = message as Identified;
    const reading = readPayload(delivery, admitted, this.#payloadOf(admitted));
    const payload = reading instanceof Promise ? await reading : reading;
    if ('newer' in payload) {
      const wait = { delayMs: NEWER_PAYLOAD_WAIT_MS, problem: payload.newer };
      await this.#settler.postpone(delivery, admitted, wait);
      return undefined;
    }
    if ('outcome' in payload) {
      if (await this.#entrance.settlesDone(delivery, admitted)) return undefined;
      const { outcome, raw } = payload;
      const redact = redactorOf(raw, this.#payloadOf(admitted)?.piiPaths);
      await this.#settle(delivery, admitted, { run: '', durationMs: 0, outcome, redact });
      return undefined;
    }
    if (this.#queue.isSuspectQueue) await this.#openMoves.whenNone(SUSPECT_WAIT_MS);
    const job = toJob(delivery, admitted, payload.value, typeOf(this.#registration, admitted));
    const entered = this.#gate.enter(delivery, admitted, job);
    const passage = entered instanceof Promise ? await entered : entered;
    if (!passage) return undefined;
    try {
      const entering = this.#entrance.enter(delivery, admitted);
      const entered = entering instanceof Promise ? await entering : entering;
      return entered && (await this.#run(delivery, admitted, job, passage, entered));
    } finally {
      if (!passage.isOver) await passage.leave();
    }
  }

  #admit(message: ReceivedMessage): Admission {
    const facts = {
      nowMs: Date.now(),
      maxAgeMs: this.#registration.definition.maxAgeMs,
      isSuspectQueue: this.#queue.isSuspectQueue,
      pardonedReturns: this.#pardons.of(message.id),
      overdueReturns: this.#pardons.overdueOf(message.id),
    };
    return this.#entrance.cancelled(message) ?? admit(message, facts);
  }

  #endOne(): void {
    this.#unsettled -= 1;
    if (this.#unsettled === 0) this.#onSettled?.();
  }

  async #run(
    delivery: Delivery,
    message: Identified,
    job: Job,
    passage: Passage,
    { lease, long }: Entered,
  ): Promise<Run> {
    const startedAtMs = Date.now();
    const runId = this.#history ? newJobId() : '';
    const redact = redactorOf(job.payload, this.#payloadOf(message)?.piiPaths);
    const span = this.#traces.start(delivery, message);
    const journal = journalOf({
      history: this.#history,
      message,
      job,
      run: runId,
      redact,
      isTraced: span !== undefined,
    });
    const once = lease && { token: lease.token };
    const context = new RunContext(job, this.#logger, { journal, once, passage, long, span });
    const running = new RunningHandler(context, runId, startedAtMs);
    this.#running.add(running);
    if (long) long.onLost((reason) => context.abort(new LeaseLostError(job.type, reason)));
    else
      delivery.onLost((reason) => context.abort(new DeliveryLostError(this.#queue.name, reason)));
    this.#metrics.started(message, startedAtMs, span?.sampledTraceId);
    this.#history?.started(message, runId, startedAtMs);
    lease?.hold((detail) => context.abort(new ClaimLostError(context.job.type, detail)));
    const run = await runHandler(this.#registration, context.job, context);
    const held = long ? await long.settle() : delivery;
    const ending = passage.end(lease ? await lease.end(run, held) : run.outcome);
    const outcome = ending instanceof Promise ? await ending : ending;
    this.#running.delete(running);
    journal?.end();
    const durationMs = Date.now() - startedAtMs;
    this.#metrics.ran(outcome, durationMs, span?.sampledTraceId);
    this.#onRan?.(delivery, outcome, durationMs);
    const settling = this.#settle(held, message, { run: runId, durationMs, outcome, redact, span });
    if (settling instanceof Promise) await settling;
    return run;
  }

  #settle(held: Held, message: Identified, ended: EndedRun): void | Promise<void> {
    const { definition } = this.#registration;
    const decision = decide(ended.outcome, {
      attempt: message.attempt,
      snoozes: message.snoozes,
      policy: definition.retry,
      maxSnoozes: definition.maxSnoozes,
      publishedAtMs: message.publishedAtMs,
      maxAgeMs: definition.maxAgeMs,
      nowMs: Date.now(),
      random: Math.random,
    });
    const isUnended = decision.kind === 'release' || held.isLost;
    if (isUnended && ended.run !== '') this.#history?.interrupted(message, ended);
    const settling = this.#traces.settle(held, message, decision, ended);
    if (settling instanceof Promise) {
      return settling.then(() => this.#onSettle(held, message, decision));
    }
    this.#onSettle(held, message, decision);
  }

  /** A copy is a new message, whose returns the broker counts from 0; one that was given back keeps its count. */
  #onSettle(held: Held, message: Identified, { kind }: Decision): void {
    if (kind !== 'release' && !held.isLost) this.#pardons.forget(message.id);
  }

  #read(delivery: Delivery): ReceivedMessage {
    return readMessage(delivery, this.#queue.eventsExchange);
  }

  #payloadOf(message: ReceivedMessage): PayloadDefinition | undefined {
    return definitionOf(this.#registration, message);
  }

  async #awaitAbandoned(delivery: Delivery, ended: Promise<void>): Promise<void> {
    this.#abandoned += 1;
    this.#logger.warn(
      { job_id: this.#read(delivery).id, queue: this.#queue.name },
      'a handler ignores its abort; its job was settled without it',
    );
    await ended;
    this.#abandoned -= 1;
  }
}
