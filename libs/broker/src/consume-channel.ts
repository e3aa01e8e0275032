import { LinkedSet } from '@warren/contracts';
import type { Channel, ConsumeMessage, Message } from 'amqplib';
import { Delivery, type DeliveryChannel } from './delivery.ts';
import { HeldAcks } from './held-acks.ts';
import { SettleWindow } from './settle-window.ts';
import { untilSettled } from './until-settled.ts';

/** What a consumed channel reports to the consumer that owns it. */
export interface ConsumeChannelOwner {
  onDelivery(delivery: Delivery): void;
  /** The broker ended the consumer: queue deleted, consumer timeout (RabbitMQ 4.3), leader lost. */
  onCancelled(): void;
  /** A settle came after the channel was lost: the broker delivers that message again. */
  onLateSettle(delivery: Delivery): void;
  /** As many came as `tellAfter` asked for. */
  onCame(): void;
}

/** A settled delivery behind an unsettled one waits so long for a multiple-ack before it is acked by itself. */
const GAP_MS = 50;

/** Deliveries that came so soon after one that is out for too long are, too, or would have been. */
const OVERDUE_WITHIN_MS = 500;

/**
 * One raw channel that serves one queue. When it is lost, everything on it is lost: nothing more is settled here and a
 * successor starts empty, since delivery tags begin at 1 again.
 */
export class ConsumeChannel implements DeliveryChannel {
  readonly queue: string;
  readonly #channel: Channel;
  readonly #owner: ConsumeChannelOwner;
  readonly #window = new SettleWindow();
  readonly #outstanding = new LinkedSet<Delivery>();
  readonly #acknowledge = (tag: number, multiple: boolean) => {
    this.#hasSettled = true;
    this.#channel.ack({ fields: { deliveryTag: tag } } as Message, multiple);
  };
  #consumerTags: string[] = [];
  /** Deliveries up to this tag came through consumers that have ended. */
  #earlierUpTo = 0;
  #prefetch = 0;
  #roundTripMs = 0;
  #serial = 0;
  readonly #held = new HeldAcks<Delivery>((delivery) => void this.#complete(delivery));
  #flushPlanned = false;
  #gapTimer: NodeJS.Timeout | undefined;
  #drained: { atMost: number; then: () => void } | undefined;
  #lost = false;
  #delivered = 0;
  #tellAt = Number.POSITIVE_INFINITY;
  /** Told the broker of at least one that it was settled. */
  #hasSettled = false;
  #settled: Promise<void> | undefined;
  /** Came by asking whether all is settled, and are out. */
  #strays: Message[] = [];

  constructor(channel: Channel, queue: string, owner: ConsumeChannelOwner) {
    this.#channel = channel;
    this.queue = queue;
    this.#owner = owner;
  }

  /** Prefetch of the running consumers together; 0 while there is none. */
  get prefetch(): number {
    return this.#prefetch;
  }

  /** How long the broker took for its last answer; 0 before the first. */
  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  get outstanding(): number {
    return this.#window.outstanding;
  }

  /** Deliveries that are out and came through consumers that have ended: no running consumer's prefetch counts them. */
  get earlier(): number {
    if (this.#consumerTags.length === 0) return this.#window.held;
    return this.#window.heldUpTo(this.#earlierUpTo);
  }

  /** Deliveries so far on this channel. */
  get delivered(): number {
    return this.#delivered;
  }

  /** Calls the owner's `onCame` once, when so many more have come. Takes the place of an earlier call. */
  tellAfter(deliveries: number): void {
    this.#tellAt = this.#delivered + deliveries;
  }

  /**
   * Starts a consumer, beside those that run, with a fresh tag: consuming again under the same tag while deliveries are
   * out closes the connection on RabbitMQ 3.10, and prefetch set on a running consumer does nothing (both measured).
   */
  async consume(prefetch: number): Promise<void> {
    const consumerTag = this.#newTag();
    if (this.#consumerTags.length === 0) this.#earlierUpTo = this.#window.lastTag;
    this.#consumerTags.push(consumerTag);
    this.#prefetch += prefetch;
    const askedAtMs = performance.now();
    await this.#channel.prefetch(prefetch);
    this.#roundTripMs = performance.now() - askedAtMs;
    // Cancelled before it began: the broker would take a cancel that precedes it for nothing, and deliver all the same.
    if (!this.#consumerTags.includes(consumerTag)) return;
    await this.#channel.consume(this.queue, (message) => this.#onMessage(message), { consumerTag });
  }

  /** Ends the consumers. Deliveries that are out stay out. */
  async cancel(): Promise<void> {
    const tags = this.#consumerTags;
    this.#consumerTags = [];
    this.#prefetch = 0;
    await Promise.all(tags.map((tag) => this.#channel.cancel(tag)));
  }

  /** Calls `then` once, when `earlier` is at most `atMost`; never on a lost channel. Takes the place of an earlier call. */
  whenEarlierDrained(atMost: number, then: () => void): void {
    this.#drained = { atMost, then };
    this.#planFlush();
  }

  ack(delivery: Delivery, beforeAck?: Promise<void>): boolean {
    if (!beforeAck) return this.#complete(delivery);
    if (this.#isLate(delivery)) return false;
    this.#held.hold(beforeAck, delivery);
    return true;
  }

  nack(delivery: Delivery, requeue: boolean): boolean {
    if (this.#isLate(delivery)) return false;
    this.#outstanding.delete(delivery);
    this.#window.drop(delivery.tag);
    this.#hasSettled = true;
    this.#channel.nack(delivery.message, false, requeue);
    this.#planFlush();
    return true;
  }

  leave(delivery: Delivery): void {
    this.#outstanding.delete(delivery);
  }

  /**
   * Acks what is due, waits until the broker has done so, and with `nacks` gives back what is out, which otherwise the
   * channel's end does. Nothing can be settled afterwards.
   */
  async giveBack(nacks: boolean): Promise<void> {
    await this.#held.whenLetGo();
    if (this.#lost) return;
    this.flush();
    this.lose('given back');
    await this.#untilSettled();
    // They go back with all others, or their order would be another one.
    this.#strays = [];
    if (!nacks) return;
    // A consumer that still ran would get them again at once.
    await this.cancel();
    this.#channel.nackAll(true);
  }

  /**
   * The channel is gone: every delivery that is out is lost. `byTimeout`: because one of them was out for too long, which is
   * the one that came first, and those that came with it.
   */
  lose(reason: string, byTimeout = false): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#prefetch = 0;
    clearTimeout(this.#gapTimer);
    const { first } = this.#outstanding;
    const overdueBeforeMs = byTimeout && first ? first.receivedAtMs + OVERDUE_WITHIN_MS : 0;
    for (const delivery of this.#outstanding) {
      delivery.lose(reason, delivery.receivedAtMs < overdueBeforeMs);
    }
    this.#outstanding.clear();
    this.#drained = undefined;
  }

  /** Sends the acks that are due, without waiting for more. */
  flush(): void {
    if (this.#lost) return;
    this.#window.flushRun(this.#acknowledge);
    this.#window.flushGaps(this.#acknowledge, Number.POSITIVE_INFINITY);
  }

  /**
   * Acks what is due, held acks included, waits until the broker has done so, and closes the channel; the broker takes back
   * what is still out.
   */
  async close(): Promise<void> {
    await this.#held.whenLetGo();
    this.flush();
    this.lose('the consumer was closed');
    await this.#untilSettled();
    for (const stray of this.#strays) this.#channel.nack(stray, false, true);
    await this.#channel.close();
  }

  async #untilSettled(): Promise<void> {
    if (!this.#hasSettled) return;
    this.#settled ??= untilSettled(this.#channel, this.queue, this.#newTag()).then((strays) => {
      this.#strays = strays;
    });
    await this.#settled;
  }

  /** What is out goes back in the order of these. */
  #newTag(): string {
    this.#serial += 1;
    const serial = String(this.#serial).padStart(4, '0');
    return `${process.pid}-${this.queue}-${serial}-${Date.now().toString(36)}`;
  }

  #onMessage(message: ConsumeMessage | null): void {
    if (this.#lost) return;
    if (message === null) {
      this.#owner.onCancelled();
      return;
    }
    const delivery = new Delivery(message, this, Date.now());
    this.#delivered += 1;
    this.#window.add(delivery.tag);
    this.#outstanding.add(delivery);
    this.#owner.onDelivery(delivery);
    if (this.#delivered < this.#tellAt) return;
    this.#tellAt = Number.POSITIVE_INFINITY;
    this.#owner.onCame();
  }

  #isLate(delivery: Delivery): boolean {
    if (!this.#lost) return false;
    this.#owner.onLateSettle(delivery);
    return true;
  }

  #complete(delivery: Delivery): boolean {
    if (this.#isLate(delivery)) return false;
    this.#outstanding.delete(delivery);
    this.#window.complete(delivery.tag, performance.now());
    this.#planFlush();
    return true;
  }

  /** Once per turn of the event loop: handlers that ended in the same turn share an ack. */
  #planFlush(): void {
    if (this.#flushPlanned) return;
    this.#flushPlanned = true;
    setImmediate(() => {
      this.#flushPlanned = false;
      if (!this.#lost) this.#flushDue();
    });
  }

  #flushDue(): void {
    this.#window.flushRun(this.#acknowledge);
    if (this.#window.unacked > 0) this.#flushBehindGap();
    const drained = this.#drained;
    if (drained && this.earlier <= drained.atMost) {
      this.#drained = undefined;
      drained.then();
    }
  }

  /** Where the broker may soon have nothing left to send, waiting for a longer run would starve the handlers. */
  #flushBehindGap(): void {
    const starving = this.#window.held * 2 >= this.#prefetch;
    this.#window.flushGaps(
      this.#acknowledge,
      starving ? Number.POSITIVE_INFINITY : performance.now() - GAP_MS,
    );
    if (this.#window.unacked === 0 || this.#gapTimer) return;
    this.#gapTimer = setTimeout(() => {
      this.#gapTimer = undefined;
      if (!this.#lost) this.#flushDue();
    }, GAP_MS);
  }
}
