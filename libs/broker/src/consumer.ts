import type { Channel } from 'amqplib';
import { type ChannelError, ChannelSupervisor } from './channel-supervisor.ts';
import type { SupervisedConnection } from './connection.ts';
import { ConsumeChannel } from './consume-channel.ts';
import type { Delivery } from './delivery.ts';
import { deliveriesBeforeGrowth, nextPrefetch, type PrefetchRange } from './prefetch-policy.ts';
import { within } from './within.ts';

/** What a consumer needs to know. */
export interface ConsumerOptions {
  readonly queue: string;
  /** Deliveries that may be out. A range is adapted to the speed of the handlers. */
  readonly prefetch: number | PrefetchRange;
  /** Called for every delivery, in order. It must not throw. */
  onDelivery(delivery: Delivery): void;
  /**
   * All deliveries of the lost channel were told by `Delivery.onLost` before this. `isCancelled`: the broker ended the consumer
   * and left the channel, as for a queue that is deleted.
   */
  onLost?(reason: string, isCancelled: boolean): void;
  onLateSettle?(delivery: Delivery): void;
  onPrefetch?(prefetch: number): void;
  /** Opening or consuming failed; it is repeated with a growing pause. */
  onProblem?(problem: string): void;
}

/** What RabbitMQ before 4.3 closes a channel with (406) when a delivery on it is out for longer than `consumer_timeout`. */
const CONSUMER_TIMEOUT = /acknowledgement on channel \d+ timed out/;

function isConsumerTimeout(error: ChannelError | undefined): boolean {
  return error !== undefined && CONSUMER_TIMEOUT.test(error.message);
}

const ADAPT_EVERY_MS = 200;
/** For acks that are held, a slow disk that they are to be on, and a broker that does not answer. */
const CLOSE_TIMEOUT_MS = 2_000;
const GIVE_BACK_TIMEOUT_MS = 15_000;

/**
 * Consumes one queue on a channel of its own, for as long as it is wanted: after a reconnect, a closed channel, a deleted
 * queue or a consumer timeout it builds the channel again. What is wanted (running or paused, and with which prefetch)
 * is kept here and outlives every channel.
 */
export class Consumer {
  readonly queue: string;
  readonly #options: ConsumerOptions;
  readonly #supervisor: ChannelSupervisor<Channel>;
  /** Declares the topology again, when the queue seems to be gone. */
  readonly #repair: () => Promise<unknown>;
  readonly #mayBegin: () => Promise<void>;
  #range: PrefetchRange;
  #active: ConsumeChannel | undefined;
  #isStarted = false;
  #wanted = false;
  #prefetch: number;
  /** What the running consumers are to add up to; less was granted if earlier deliveries were still out. */
  #target = 0;
  #problem: string | undefined = 'not consuming yet';
  #repairing: Promise<unknown>;
  #reconciling: Promise<void> | undefined;
  #adapter: NodeJS.Timeout | undefined;
  #lastDelivered = 0;
  #grewAtMs = 0;
  #grewAtDelivered = 0;

  constructor(
    connection: SupervisedConnection,
    options: ConsumerOptions,
    topology: {
      declared: Promise<void>;
      repair: () => Promise<unknown>;
      /** Resolves when a new channel may consume; it is asked for each. */
      mayBegin?: () => Promise<void>;
    },
  ) {
    this.queue = options.queue;
    this.#options = options;
    this.#repair = topology.repair;
    this.#mayBegin = topology.mayBegin ?? (() => Promise.resolve());
    this.#repairing = topology.declared;
    this.#range = rangeOf(options.prefetch);
    this.#prefetch = this.#range.min;
    this.#supervisor = new ChannelSupervisor(connection, {
      create: (raw) => raw.createChannel(),
      prepare: (channel) => this.#prepare(channel),
      onOpen: () => this.#onOpen(),
      onClose: (error) => this.#onClose(error),
      onOpenFailed: (error) => this.#onOpenFailed(error),
    });
  }

  /** Undefined while it consumes, or is paused on purpose; otherwise what is wrong. */
  get problem(): string | undefined {
    return this.#wanted ? this.#problem : undefined;
  }

  /** Deliveries out and not settled. */
  get outstanding(): number {
    return this.#active?.outstanding ?? 0;
  }

  start(): void {
    this.#wanted = true;
    this.#isStarted = true;
    this.#supervisor.start();
    this.#startAdapting();
  }

  /**
   * How many deliveries may be out from now on; outlives reconnects. Those that are out already are within it: where there
   * are more, no further ones come until they are settled.
   */
  async setPrefetch(prefetch: number | PrefetchRange): Promise<void> {
    this.#range = rangeOf(prefetch);
    const { min, max } = this.#range;
    this.#startAdapting();
    const next = Math.min(max, Math.max(min, this.#prefetch));
    if (next === this.#prefetch) return;
    this.#prefetch = next;
    this.#options.onPrefetch?.(next);
    await this.#reconcile();
  }

  /** Takes no more deliveries; those that are out stay out. Outlives reconnects. Resolves when the broker said so. */
  async pause(): Promise<void> {
    this.#wanted = false;
    await this.#reconcile();
  }

  async resume(): Promise<void> {
    this.#wanted = true;
    await this.#reconcile();
  }

  /** Lets so many more be out beside those that are; for a prefetch that is one number. One call at a time. */
  async widen(by: number): Promise<void> {
    this.#prefetch += by;
    this.#target += by;
    // A channel that is lost meanwhile has its successor.
    await this.#active?.consume(by).catch(() => {});
  }

  /**
   * Takes no more, waits until the broker has the acks, and gives back all that is out, with a nack or when it is closed;
   * that is all that can be done then. Bounded.
   */
  async giveBack(nacks: boolean): Promise<void> {
    this.#wanted = false;
    const active = this.#active;
    if (active) await within(GIVE_BACK_TIMEOUT_MS, active.giveBack(nacks)).catch(() => {});
  }

  /**
   * Ends it for good: acks what is due, waits until the broker has it, closes the channel. The broker takes back what is
   * out. Bounded.
   */
  async close(): Promise<void> {
    this.#wanted = false;
    this.#isStarted = false;
    clearInterval(this.#adapter);
    this.#supervisor.stop();
    // Out of the way first: a channel that is closed on purpose is not a lost one.
    const active = this.#active;
    this.#active = undefined;
    if (active) await within(CLOSE_TIMEOUT_MS, active.close()).catch(() => {});
  }

  #startAdapting(): void {
    clearInterval(this.#adapter);
    if (!this.#isStarted || this.#range.max === this.#range.min) return;
    this.#adapter = setInterval(() => this.#adapt(), ADAPT_EVERY_MS).unref();
  }

  async #prepare(channel: Channel): Promise<void> {
    await this.#repairing;
    await this.#mayBegin();
    const active = new ConsumeChannel(channel, this.queue, {
      onDelivery: this.#options.onDelivery,
      onCancelled: () => this.#onCancelled(),
      onLateSettle: (delivery) => this.#options.onLateSettle?.(delivery),
      onCame: () => this.#grow(),
    });
    // Known before the first delivery, which can come before `consume` returns.
    this.#active = active;
    this.#lastDelivered = 0;
    this.#awaitGrowth(active);
    this.#target = this.#prefetch;
    if (this.#wanted) await active.consume(this.#prefetch);
  }

  #onOpen(): void {
    if (!this.#active) {
      // The broker cancelled the consumer before its channel was known as the current one.
      this.#supervisor.abandon();
      return;
    }
    this.#problem = undefined;
    this.#options.onPrefetch?.(this.#prefetch);
    // What was wanted may have changed while the channel was opened.
    void this.#reconcile();
  }

  #onClose(error: ChannelError | undefined): void {
    const reason = error?.message ?? 'the connection was lost';
    this.#loseActive(reason, { byTimeout: isConsumerTimeout(error) });
    if (error?.code === 404) this.#planRepair();
  }

  #onOpenFailed(error: unknown): void {
    const { message, code } = error as ChannelError;
    this.#loseActive(message);
    // Of one that is closed meanwhile it is no news.
    if (!this.#isStarted) return;
    this.#options.onProblem?.(message);
    if (code === 404) this.#planRepair();
  }

  /** The channel is given up whole: settling on it after a cancel makes the broker deliver to a forgotten tag (4.3). */
  #onCancelled(): void {
    this.#planRepair();
    // From RabbitMQ 4.3 that is what a consumer timeout looks like; a queue that is deleted takes its messages along.
    const how = { byTimeout: true, isCancelled: true };
    this.#loseActive('the broker cancelled the consumer', how);
    this.#supervisor.abandon();
  }

  #loseActive(reason: string, { byTimeout = false, isCancelled = false } = {}): void {
    const active = this.#active;
    this.#active = undefined;
    this.#problem = reason;
    if (!active) return;
    active.lose(reason, byTimeout);
    this.#options.onLost?.(reason, isCancelled);
  }

  #planRepair(): void {
    this.#repairing = this.#repair().catch((error: unknown) => {
      this.#options.onProblem?.((error as Error).message);
    });
  }

  #adapt(): void {
    const active = this.#active;
    if (!active) return;
    if (active.prefetch > 0) this.#look(active);
    // The time of a pause, too, is none of its handlers.
    this.#awaitGrowth(active);
  }

  #look(active: ConsumeChannel): void {
    const settled = active.delivered - this.#lastDelivered;
    this.#lastDelivered = active.delivered;
    // An idle queue says nothing about the speed of its handlers.
    if (settled === 0 && active.outstanding === 0) return;
    this.#adaptTo(this.#nextPrefetch(active, settled, ADAPT_EVERY_MS));
  }

  /** So many between two looks can only mean more; what they say to the next look is not taken away. */
  #grow(): void {
    const active = this.#active;
    if (!active || active.prefetch === 0) return;
    const settled = active.delivered - this.#grewAtDelivered;
    const passedMs = performance.now() - this.#grewAtMs;
    // Less where the event loop stood still, so that the look is late: that is left to it.
    this.#adaptTo(Math.max(this.#prefetch, this.#nextPrefetch(active, settled, passedMs)));
    this.#awaitGrowth(active);
  }

  #awaitGrowth(active: ConsumeChannel): void {
    this.#grewAtMs = performance.now();
    this.#grewAtDelivered = active.delivered;
    active.tellAfter(deliveriesBeforeGrowth(this.#prefetch, this.#range));
  }

  #nextPrefetch(active: ConsumeChannel, settled: number, passedMs: number): number {
    const perSecond = settled / (passedMs / 1_000);
    return nextPrefetch(this.#prefetch, perSecond, this.#range, active.roundTripMs / 1_000);
  }

  #adaptTo(prefetch: number): void {
    if (prefetch === this.#prefetch) return;
    this.#prefetch = prefetch;
    this.#options.onPrefetch?.(prefetch);
    void this.#reconcile();
  }

  /** Brings the running consumer to what is wanted, one change after the other. */
  async #reconcile(): Promise<void> {
    while (this.#reconciling) await this.#reconciling;
    this.#reconciling = this.#bringToWanted().finally(() => {
      this.#reconciling = undefined;
    });
    await this.#reconciling;
  }

  async #bringToWanted(): Promise<void> {
    const active = this.#active;
    const wanted = this.#wanted ? this.#prefetch : 0;
    if (!active || active.prefetch === wanted) return;
    try {
      // Where less was granted than meant, the rest is granted beside it; any other change ends what runs.
      if (this.#target !== wanted || active.prefetch > wanted) await active.cancel();
      this.#target = wanted;
      if (wanted > 0 && this.#active === active) await this.#grant(active, wanted);
    } catch {
      // The channel went away meanwhile: its successor starts with what is wanted then.
    }
  }

  /**
   * Deliveries of ended consumers are on top of what is granted: never more in all than the range allows. What cannot be
   * granted yet follows when they are settled, and is not waited for: a long job may be among them.
   */
  async #grant(active: ConsumeChannel, wanted: number): Promise<void> {
    const { max } = this.#range;
    const room = Math.min(wanted, max - active.earlier) - active.prefetch;
    if (room > 0) await active.consume(room);
    if (active.prefetch >= wanted) return;
    const atMost = active.prefetch === 0 ? max - 1 : max - wanted;
    active.whenEarlierDrained(atMost, () => void this.#reconcile());
  }
}

function rangeOf(prefetch: number | PrefetchRange): PrefetchRange {
  return typeof prefetch === 'number' ? { min: prefetch, max: prefetch } : prefetch;
}
