import { BrokerBlockedError, ShuttingDownError, type WarrenError } from '@warren/contracts';
import type { ConfirmChannel, Message } from 'amqplib';
import { blameOf } from './blame.ts';
import { ChannelRenewal } from './channel-renewal.ts';
import { type ChannelError, ChannelSupervisor } from './channel-supervisor.ts';
import type { SupervisedConnection } from './connection.ts';
import { InFlight } from './in-flight.ts';
import type { Publishable } from './outgoing-message.ts';
import { PendingPublish, type PublishedMessage } from './pending-publish.ts';
import {
  isChannelClosed,
  refused,
  refuseOversizeHeaders,
  timeoutOf,
  toHeaderError,
  unavailable,
  unroutable,
} from './publish-failure.ts';
import { PublishQueue, type WhenFull } from './publish-queue.ts';
import type { PublisherEvents, PublisherOptions, PublishOutcome } from './publisher-options.ts';

const SWEEP_MS = 50;

/** In flight for so many channel errors, a publish is taken for their cause. */
const MAX_STRIKES = 3;

/**
 * The one function that owns the publish contract: mandatory, confirmed, with a deadline, a returned message tied to its
 * publish, and a bounded buffer while there is no connection. What was sent and not answered when a channel closed is
 * sent again on the next one, with the same id: a duplicate is possible, a loss is not.
 */
export class Publisher {
  readonly #connection: SupervisedConnection;
  readonly #events: PublisherEvents;
  readonly #supervisor: ChannelSupervisor<ConfirmChannel>;
  readonly #queue: PublishQueue;
  readonly #inFlight: InFlight;
  readonly #renewal = new ChannelRenewal();
  readonly #timeoutMs: number;
  readonly #maxWaitMs: number;
  readonly #stopListening: () => void;
  #channel: ConfirmChannel | undefined;
  /** As all times here, of the clock that nobody sets: a deadline must hold whatever the date becomes. */
  #downSinceMs = performance.now();
  #sweeper: NodeJS.Timeout | undefined;
  #idle: (() => void) | undefined;
  readonly #awaitingRoom = new Set<() => void>();
  #repairing: Promise<void> | undefined;
  /** What was wrong with the topology after it was last declared again. */
  #repairProblem: string | undefined;
  #closing = false;

  constructor(
    connection: SupervisedConnection,
    options: PublisherOptions = {},
    events: PublisherEvents = {},
  ) {
    this.#connection = connection;
    this.#events = events;
    this.#timeoutMs = options.timeoutMs ?? 10_000;
    this.#maxWaitMs = options.maxWaitMs ?? 5_000;
    const buffer = options.buffer ?? { maxMessages: 100_000, maxBytes: 64 * 1024 * 1024 };
    this.#queue = new PublishQueue(buffer);
    this.#inFlight = new InFlight({ ...buffer, maxMessages: options.maxUnconfirmed ?? 1_000 });
    this.#supervisor = new ChannelSupervisor(connection, {
      create: (raw) => raw.createConfirmChannel(),
      prepare: async () => this.#repairing,
      onOpen: (channel) => this.#onOpen(channel),
      onClose: (error) => this.#onClose(error),
    });
    this.#stopListening = connection.onBlockedChange(() => this.#onBlockedChange());
  }

  /** Sent and not yet answered. */
  get unconfirmed(): number {
    return this.#inFlight.size;
  }

  /** Waiting in memory to be sent. */
  get buffered(): number {
    return this.#queue.length;
  }

  get isOpen(): boolean {
    return this.#channel !== undefined;
  }

  /** Does nothing once it is closed: the declaration that it waited for may end after that. */
  start(): void {
    if (!this.#closing) this.#supervisor.start();
  }

  /**
   * Resolves when the broker confirmed the message as routed and stored. One that no queue took is sent once more, after the
   * topology was declared again; one that was refused, on a new channel, which is opened once a second at most.
   * @throws UnroutableError, PublishRefusedError, PublishTimeoutError (unknown: repeat with the same id),
   * BrokerUnavailableError, BrokerBlockedError, PublishBufferFullError, HeaderInvalidError, ShuttingDownError
   */
  publish(
    message: Publishable,
    timeoutMs = this.#timeoutMs,
    whenFull: WhenFull = 'refuse',
  ): Promise<PublishedMessage> {
    return new Promise((resolve, reject) => {
      const refusal = this.refusal();
      if (refusal) {
        this.#events.onOutcome?.(message, 'error', 0, refusal);
        reject(refusal);
        return;
      }
      const nowMs = performance.now();
      this.#accept(new PendingPublish(message, timeoutMs, nowMs, resolve, reject), whenFull);
    });
  }

  /** Refuses new publishes, waits for those under way (each has its deadline). Its channel goes with the connection. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#inFlight.size + this.#queue.length > 0) {
      await new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
    }
    this.#supervisor.stop();
    clearInterval(this.#sweeper);
    // No sweep tells them any more.
    this.#tellRoom();
  }

  /**
   * As `close`; resolves when its channel is closed too. What was not answered by then is not answered any more, so it may be
   * repeated elsewhere. A broker that blocks closes no channel: only the wait for what is under way is bounded.
   */
  async end(): Promise<void> {
    await this.close();
    await this.#channel?.close().catch(() => {});
    this.#stopListening();
    this.#events.onEnded?.();
  }

  /** Why a publish would be refused at once, without being sent or waited for; undefined where it would be tried. */
  refusal(): WarrenError | undefined {
    if (this.#closing) return new ShuttingDownError('publish');
    const blocked = this.#connection.blockedReason;
    if (blocked !== undefined) return new BrokerBlockedError(blocked);
    if (!this.#channel && this.#maxWaitMs === 0) return unavailable(this.#connection);
    return undefined;
  }

  /** Whether there is something to wait for before the next publish: no, where it would be taken, or refused for another reason. */
  get hasRoom(): boolean {
    return this.#queue.hasRoom || this.refusal() !== undefined;
  }

  /** Calls once, soon after there is room again: whatever has none to offer waits for deadlines. */
  onRoom(tell: () => void): void {
    this.#awaitingRoom.add(tell);
  }

  #accept(pending: PendingPublish, whenFull: WhenFull): void {
    if (!this.#sweeper) this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
    if (this.#channel && this.#queue.length === 0 && this.#maySend) {
      this.#send(this.#channel, pending);
      return;
    }
    try {
      this.#queue.push(pending, whenFull);
    } catch (error) {
      this.#settle(pending, 'error', error as Error);
    }
  }

  get #maySend(): boolean {
    return this.#inFlight.hasRoom && !this.#renewal.isUnderWay;
  }

  #send(channel: ConfirmChannel, pending: PendingPublish): void {
    const { exchange, routingKey, body, properties } = pending.message;
    try {
      if (properties.headers) refuseOversizeHeaders(channel, pending.headerBytes);
      channel.publish(exchange, routingKey, body, properties, (error: unknown) =>
        this.#onAnswer(pending, error),
      );
    } catch (error) {
      // Nothing was written: amqplib encodes all before it writes.
      if (isChannelClosed(error)) this.#putBack(pending);
      else this.#settle(pending, 'error', toHeaderError(error));
      return;
    }
    pending.sent = true;
    this.#inFlight.add(pending);
  }

  /** The channel is closing and its event is still to come: the publish waits for the next one. */
  #putBack(pending: PendingPublish): void {
    this.#channel = undefined;
    this.#queue.unshift([pending]);
  }

  /**
   * `error` is null for an ack; amqplib says "message nacked" or, when the channel is gone, "channel closed". Of no interest
   * is what is past its deadline, or was sent before the channel was given up: it has left the window.
   */
  #onAnswer(pending: PendingPublish, error: unknown): void {
    if (error === null && pending.returned === undefined) {
      if (this.#inFlight.delete(pending)) this.#settle(pending, 'confirmed');
    } else if (error === null || (error as Error).message === 'message nacked') {
      if (this.#inFlight.has(pending)) this.#onRefusal(pending);
    } else {
      return;
    }
    this.#goOn();
  }

  #onRefusal(pending: PendingPublish): void {
    const { returned } = pending;
    if (returned !== undefined && !pending.repaired && this.#events.repair) {
      void this.#repairAndRepeat(pending);
      return;
    }
    this.#inFlight.delete(pending);
    if (returned !== undefined)
      this.#settle(pending, 'returned', unroutable(pending, returned, this.#repairProblem));
    else if (this.#mayRepeatRefused(pending)) this.#queue.unshift([pending]);
    else this.#settle(pending, 'nacked', refused(pending));
  }

  #mayRepeatRefused(pending: PendingPublish): boolean {
    if (!this.#renewal.begin(performance.now()) || pending.refused) return false;
    pending.refused = true;
    return true;
  }

  #settle(pending: PendingPublish, outcome: PublishOutcome, error?: Error): void {
    if (error) pending.fail(error);
    else pending.confirm();
    const elapsedMs = performance.now() - pending.startedAtMs;
    this.#events.onOutcome?.(pending.message, outcome, elapsedMs, error);
    this.#checkIdle();
  }

  /** After an answer: sends what waits, or gives the channel up where that was its last. */
  #goOn(): void {
    if (!this.#renewal.isUnderWay) this.#pump();
    else if (this.#renewal.isDue(this.#inFlight.size, performance.now())) {
      this.#supervisor.abandon();
    }
  }

  /** Sends what waits, as far as the window of unconfirmed messages allows. */
  #pump(): void {
    const channel = this.#channel;
    while (channel && this.#maySend && this.#channel === channel) {
      const pending = this.#queue.shift();
      if (!pending) return;
      this.#send(channel, pending);
    }
  }

  #onOpen(channel: ConfirmChannel): void {
    // A return comes before the confirm of the same publish, on the same channel (measured on 3.10 and 4.3).
    channel.on('return', (message: Message) => this.#inFlight.markReturned(message));
    this.#channel = channel;
    this.#events.onOpen?.();
    this.#pump();
  }

  #onClose(error: ChannelError | undefined): void {
    this.#channel = undefined;
    this.#downSinceMs = performance.now();
    this.#renewal.end(this.#downSinceMs);
    const unanswered = this.#inFlight.forgetReturns();
    const repeated = error ? unanswered.filter((p) => this.#mayRepeat(p, error)) : unanswered;
    // Not before the guilty are answered: meanwhile the others would be in neither place, and a close not wait for them.
    this.#inFlight.clear();
    this.#queue.unshift(repeated);
    this.#checkIdle();
    if (error?.code === 404) this.#repairing = this.#repair();
  }

  /**
   * Stays in the window meanwhile, so that its deadline holds, and stays marked as returned, so that it does not take the
   * return of another publish with the same id for its own.
   */
  async #repairAndRepeat(pending: PendingPublish): Promise<void> {
    const channel = this.#channel;
    pending.repaired = true;
    await this.#repair();
    // Given up meanwhile, or on its way again on another channel.
    if (this.#channel !== channel || !this.#inFlight.delete(pending)) return;
    pending.returned = undefined;
    this.#queue.unshift([pending]);
    this.#pump();
  }

  async #repair(): Promise<void> {
    this.#repairProblem = await this.#events.repair?.();
  }

  /** After a channel error: is this publish innocent, or at least not yet found guilty? */
  #mayRepeat(pending: PendingPublish, error: ChannelError): boolean {
    const blame = blameOf(pending.message, error);
    if (blame instanceof Error) {
      this.#settle(pending, 'error', blame);
      return false;
    }
    if (blame === 'suspect') pending.strikes += 1;
    if (pending.strikes < MAX_STRIKES) return true;
    this.#settle(pending, 'error', unroutable(pending, error.message, this.#repairProblem));
    return false;
  }

  #onBlockedChange(): void {
    const reason = this.#connection.blockedReason;
    if (reason === undefined) {
      this.#pump();
      return;
    }
    for (const pending of this.#queue.extract((candidate) => !candidate.sent)) {
      this.#settle(pending, 'error', new BrokerBlockedError(reason));
    }
  }

  /** Answers what is past its deadline, and what has waited too long for a connection. */
  #sweep(): void {
    const nowMs = performance.now();
    for (const pending of this.#inFlight.takeOverdue(nowMs)) {
      this.#settle(pending, 'timeout', timeoutOf(pending, this.#connection));
    }
    for (const pending of this.#queue.extract((candidate) => this.#isOverdue(candidate, nowMs))) {
      const timedOut = pending.sent || this.#channel;
      this.#settle(
        pending,
        timedOut ? 'timeout' : 'error',
        timedOut ? timeoutOf(pending, this.#connection) : unavailable(this.#connection),
      );
    }
    // What was given up has left the window; its answers may never come.
    this.#goOn();
    this.#tellRoom();
    if (this.#inFlight.size + this.#queue.length === 0) {
      clearInterval(this.#sweeper);
      this.#sweeper = undefined;
    }
  }

  #tellRoom(): void {
    if (this.#awaitingRoom.size === 0 || !this.hasRoom) return;
    const waiting = [...this.#awaitingRoom];
    this.#awaitingRoom.clear();
    for (const tell of waiting) tell();
  }

  #isOverdue(pending: PendingPublish, nowMs: number): boolean {
    if (nowMs >= pending.deadlineMs) return true;
    if (this.#channel || pending.sent) return false;
    return nowMs - Math.max(this.#downSinceMs, pending.startedAtMs) >= this.#maxWaitMs;
  }

  #checkIdle(): void {
    if (!this.#idle || this.#inFlight.size + this.#queue.length > 0) return;
    this.#idle();
    this.#idle = undefined;
  }
}
