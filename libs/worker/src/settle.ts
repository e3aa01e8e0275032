import { type Broker, type Move, previousErrorOf, type ReceivedMessage } from '@warren/broker';
import type { DeadReason } from '@warren/contracts';
import { type Decision, describeFailure, nextHop, planHop } from '@warren/retry';
import type { Logger } from '@warren/telemetry';
import type { RetryTier } from '@warren/topology';
import type { Refusal } from './admit.ts';
import { type EndedRun, errorOf, shownErrorOf } from './ended-run.ts';
import type { Held } from './held.ts';
import { type Identified, identified, isIdentified } from './identified.ts';
import type { JobHistory } from './job-history.ts';
import type { Mover } from './mover.ts';
import type { OpenMoves } from './open-moves.ts';
import type { QueueMetrics } from './queue-metrics.ts';
import { Routes } from './routes.ts';
import { headersOfRun } from './run-headers.ts';

/** The queue that deliveries are settled for. */
export interface SettledQueue {
  readonly queue: string;
  readonly jobType: string;
}

/** Why a job waits although its handler did not ask for it. */
export interface Postponement {
  readonly delayMs: number;
  /** For the log; what is usual has none. */
  readonly problem?: string;
}

/** Does what was decided with a delivery: ack it, move it, or give it back. And tells the history. */
export class Settler {
  readonly #broker: Broker;
  readonly #mover: Mover;
  readonly #openMoves: OpenMoves;
  readonly #metrics: QueueMetrics;
  readonly #logger: Logger;
  readonly #queue: SettledQueue;
  readonly #routes: Routes;
  readonly #history: JobHistory | undefined;

  constructor(options: {
    broker: Broker;
    mover: Mover;
    openMoves: OpenMoves;
    metrics: QueueMetrics;
    logger: Logger;
    queue: SettledQueue;
    tiers: readonly RetryTier[];
    history: JobHistory | undefined;
  }) {
    this.#broker = options.broker;
    this.#mover = options.mover;
    this.#openMoves = options.openMoves;
    this.#metrics = options.metrics;
    this.#logger = options.logger;
    this.#queue = options.queue;
    this.#routes = new Routes(options.broker.topology.names, options.queue.queue, options.tiers);
    this.#history = options.history;
  }

  /** Settles a run by its decision; at once, where nothing has to be waited for. */
  settle(
    held: Held,
    message: Identified,
    decision: Decision,
    ended: EndedRun,
  ): void | Promise<void> {
    switch (decision.kind) {
      case 'complete':
        return this.#complete(held, message, ended);
      case 'retry':
        return this.#retry(held, message, decision, ended);
      case 'snooze':
        return this.#putOff(held, message, decision, ended).then(() => {});
      case 'dead-letter':
        return this.#deadLetter(held, message, decision.reason, ended);
      case 'cancel':
        return this.#cancel(held, message, decision.by, ended.run);
      case 'release':
        return this.release(held, message);
    }
  }

  /** Settles a delivery that may not run. */
  async refuse(held: Held, message: ReceivedMessage, admission: Refusal): Promise<void> {
    switch (admission.kind) {
      case 'cancelled':
        return this.#cancel(held, message as Identified, admission.by, '');
      case 'expired':
        return this.#expire(held, message);
      case 'early':
        return this.#delayFurther(held, message, admission.notBeforeMs);
      case 'identify':
        await this.#move(held, message, this.#routes.toQueue());
        return;
      case 'suspect':
        return this.#suspect(held, message);
      case 'dead-letter':
        return this.#deadLetter(held, message, admission.reason);
    }
  }

  /** Puts a delivery off for others' reasons: neither an attempt nor one of the handler's snoozes is spent. */
  async postpone(
    held: Held,
    message: Identified,
    { delayMs, problem }: Postponement,
  ): Promise<void> {
    const { snoozes } = message;
    if (!(await this.#putOff(held, message, { delayMs, snoozes }))) return;
    if (problem !== undefined) this.#logger.warn({ ...this.#about(message), problem }, 'job waits');
  }

  /** Gives a delivery back, unspent: its attempt and its count of returns stay as they are. */
  async release(held: Held, message: ReceivedMessage): Promise<void> {
    if (held.isLost) return;
    const released =
      this.#broker.nackIsFree && held.requeue
        ? held.requeue()
        : await this.#move(held, message, this.#routes.toQueue());
    if (released) this.#metrics.released();
  }

  /** Nearly every job of all comes here: what is at hand is not awaited. */
  #complete(held: Held, message: Identified, ended: EndedRun): void | Promise<void> {
    const told = held.isLost ? undefined : this.#history?.succeeded(message, ended);
    const acked = held.ack(told);
    if (acked instanceof Promise) return acked.then((isAcked) => this.#onAck(isAcked, message));
    this.#onAck(acked, message);
  }

  #onAck(isAcked: boolean, message: Identified): void {
    if (isAcked) this.#metrics.ended('succeeded', message, Date.now());
  }

  async #cancel(
    held: Held,
    message: Identified,
    by: string | undefined,
    run: string,
  ): Promise<void> {
    const told = held.isLost ? undefined : this.#history?.cancelled(message, run, by);
    if (!(await held.ack(told))) return;
    this.#metrics.ended('cancelled', message, Date.now());
    this.#logger.info({ ...this.#about(message), by }, 'job was cancelled');
  }

  async #expire(held: Held, message: ReceivedMessage): Promise<void> {
    const told =
      held.isLost || !isIdentified(message) ? undefined : this.#history?.expired(message);
    if (await held.ack(told)) this.#metrics.ended('expired', message, Date.now());
    this.#logger.info(this.#about(message), 'job expired before it ran');
  }

  async #retry(
    held: Held,
    message: Identified,
    decision: Extract<Decision, { kind: 'retry' }>,
    ended: EndedRun,
  ): Promise<void> {
    const nowMs = Date.now();
    const hop = planHop({ ...decision, nowMs, tiersMs: this.#routes.tiersMs });
    const moved = await this.#move(
      held,
      message,
      {
        ...this.#routes.toTier(hop.tierMs),
        headers: {
          attempt: decision.nextAttempt,
          notBefore: hop.notBeforeMs,
          ...describe(held, message, ended),
          ...headersOfRun(message, ended.span),
        },
      },
      ended.run,
    );
    if (!moved) return;
    const wait = { dueAtMs: nowMs + decision.delayMs, isSpent: true };
    this.#history?.retrying(message, ended.run, wait, ended);
    this.#metrics.retried(errorOf(ended));
    this.#logger.warn(
      { ...this.#about(message), delay_ms: Math.round(decision.delayMs), err: shownErrorOf(ended) },
      'attempt failed; the job is retried',
    );
  }

  async #putOff(
    held: Held,
    message: Identified,
    { delayMs, snoozes }: { readonly delayMs: number; readonly snoozes: number },
    { run, span }: Pick<EndedRun, 'run' | 'span'> = { run: '' },
  ): Promise<boolean> {
    const nowMs = Date.now();
    const hop = planHop({ delayMs, exact: false, nowMs, tiersMs: this.#routes.tiersMs });
    const moved = await this.#move(
      held,
      message,
      {
        ...this.#routes.toTier(hop.tierMs),
        headers: {
          snoozes: snoozes > 0 ? snoozes : undefined,
          notBefore: hop.notBeforeMs,
          ...headersOfRun(message, span),
        },
      },
      run,
    );
    if (!moved) return false;
    this.#metrics.snoozed();
    this.#history?.retrying(message, run, { dueAtMs: nowMs + delayMs, isSpent: false });
    return true;
  }

  async #delayFurther(held: Held, message: ReceivedMessage, notBeforeMs: number): Promise<void> {
    const { tiersMs } = this.#routes;
    const hop = nextHop({ notBeforeMs, nowMs: Date.now(), tiersMs });
    await this.#move(held, message, {
      // Due by now, or a time that nobody plans: it goes round once more without one.
      ...(hop ? this.#routes.toTier(hop.tierMs) : this.#routes.toQueue()),
      headers: { notBefore: hop ? notBeforeMs : undefined },
    });
  }

  async #suspect(held: Held, message: ReceivedMessage): Promise<void> {
    const queue = this.#broker.topology.names.suspectQueue(this.#queue.jobType);
    if (!(await this.#move(held, message, this.#routes.toQueue(queue)))) return;
    this.#metrics.suspected();
    this.#logger.warn(
      { ...this.#about(message), returns: message.returns },
      'job was in hand when a connection or process died, again; it is run apart from others',
    );
  }

  async #deadLetter(
    held: Held,
    received: ReceivedMessage,
    reason: DeadReason,
    ended?: EndedRun,
  ): Promise<void> {
    const { names } = this.#broker.topology;
    const message = identified(received);
    const run = ended?.run ?? '';
    const move = {
      exchange: names.dead,
      routingKey: names.workQueue(this.#queue.jobType),
      headers: {
        deadReason: reason,
        deadAt: Date.now(),
        origin: this.#queue.queue,
        snoozes: undefined,
        notBefore: undefined,
        ...(ended && describe(held, message, ended)),
        ...headersOfRun(message, ended?.span),
      },
    };
    const told = () => this.#history?.dead(message, run, reason, ended);
    if (!(await this.#move(held, message, move, run, told))) return;
    this.#metrics.deadLettered(reason);
    this.#metrics.ended('dead_lettered', message, Date.now());
    this.#logger.error(
      { ...this.#about(message), reason, err: ended && shownErrorOf(ended) },
      'job became a dead letter',
    );
  }

  async #move(
    held: Held,
    received: ReceivedMessage,
    move: Move,
    run = '',
    tellEnd?: () => Promise<void> | undefined,
  ): Promise<boolean> {
    const message = identified(received);
    this.#openMoves.begin();
    try {
      return await this.#mover.move(held, message, move, {
        tellEnd,
        // What no client can encode becomes a dead letter by the broker's own hand, whatever was meant.
        onReject: () => void this.#history?.dead(message, run, 'unencodable'),
      });
    } finally {
      this.#openMoves.end();
    }
  }

  #about(message: ReceivedMessage): object {
    const { queue, jobType } = this.#queue;
    return { job_id: message.id, job_type: jobType, attempt: message.attempt, queue };
  }
}

function describe(held: Held, { attempt }: ReceivedMessage, ended: EndedRun): { error?: string } {
  if (!('error' in ended.outcome)) return {};
  // What went before may be of a worker that hid nothing.
  const previous = previousErrorOf(held);
  const shown = previous && ended.redact ? ended.redact(previous) : previous;
  return { error: describeFailure(shownErrorOf(ended), shown, attempt) };
}
