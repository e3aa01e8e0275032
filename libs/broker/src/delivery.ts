import type { Linked } from '@warren/contracts';
import type { ConsumeMessage } from 'amqplib';

type LostListener = (reason: string) => void;

/** What a delivery's own channel can do with it. */
export interface DeliveryChannel {
  readonly queue: string;
  ack(delivery: Delivery, beforeAck?: Promise<void>): boolean;
  /** Gives it back to the broker (`requeue`), or lets the broker dead-letter it. */
  nack(delivery: Delivery, requeue: boolean): boolean;
  /** Forgets it, unsettled. */
  leave(delivery: Delivery): void;
}

/**
 * One hand-over of a message, tied to the channel that delivered it. It is settled once: a second settle, or one after
 * the channel was lost, does nothing and returns false.
 */
export class Delivery implements Linked<Delivery> {
  readonly message: ConsumeMessage;
  readonly tag: number;
  readonly receivedAtMs: number;
  /** Its place among the deliveries of its channel that are out. */
  before: Delivery | undefined = undefined;
  after: Delivery | undefined = undefined;
  readonly #channel: DeliveryChannel;
  #settled = false;
  #lostBecause: string | undefined;
  #isOverdue = false;
  /** Most have one, a run two: a list for each delivery would take longer to make. */
  #lostListener: LostListener | undefined;
  #moreLostListeners: LostListener[] | undefined;

  constructor(message: ConsumeMessage, channel: DeliveryChannel, nowMs: number) {
    this.message = message;
    this.tag = message.fields.deliveryTag;
    this.receivedAtMs = nowMs;
    this.#channel = channel;
  }

  get queue(): string {
    return this.#channel.queue;
  }

  get body(): Buffer {
    return this.message.content;
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** Did the broker take it back? It will deliver the message again, here or elsewhere. */
  get isLost(): boolean {
    return this.#lostBecause !== undefined;
  }

  /**
   * Was it lost because it was out for longer than the broker's consumer timeout? As far as can be told: RabbitMQ 4.3 gives
   * no reason.
   */
  get isOverdue(): boolean {
    return this.#isOverdue;
  }

  /** Calls `listener` once when the delivery is lost, or now if it is. Returns how to stop that. */
  onLost(listener: LostListener): () => void {
    if (this.#lostBecause !== undefined) listener(this.#lostBecause);
    else if (!this.#lostListener) this.#lostListener = listener;
    else if (!this.#moreLostListeners) this.#moreLostListeners = [listener];
    else this.#moreLostListeners.push(listener);
    return () => this.#stopTelling(listener);
  }

  /** Done with: the broker forgets the message. `beforeAck` holds that back until it settles, a second at most. */
  ack(beforeAck?: Promise<void>): boolean {
    if (!this.#claim()) return false;
    return this.#channel.ack(this, beforeAck);
  }

  /** Gives the message back to its queue. */
  requeue(): boolean {
    if (!this.#claim()) return false;
    return this.#channel.nack(this, true);
  }

  /**
   * Leaves it out until its channel ends, which gives it back. Nothing of it is kept meanwhile, so that any number may be
   * left; nor is it told that it is lost.
   */
  leave(): void {
    if (this.#claim()) this.#channel.leave(this);
  }

  /** Lets the broker move the message to the queue's dead-letter exchange, bytes and headers as they are. */
  reject(): boolean {
    if (!this.#claim()) return false;
    return this.#channel.nack(this, false);
  }

  /** For the channel's owner: the channel is gone. */
  lose(reason: string, isOverdue = false): void {
    if (this.#settled || this.isLost) return;
    this.#lostBecause = reason;
    this.#isOverdue = isOverdue;
    // One by one: a listener may take back others.
    for (let next = this.#lostListener; next; next = this.#lostListener) {
      this.#stopTelling(next);
      next(reason);
    }
  }

  #stopTelling(listener: LostListener): void {
    if (this.#lostListener === listener) this.#lostListener = this.#moreLostListeners?.shift();
    else this.#moreLostListeners = this.#moreLostListeners?.filter((one) => one !== listener);
  }

  #claim(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    // An ack may be held for a while, and what they hold, such as the run with its payload, is done with.
    this.#lostListener = undefined;
    this.#moreLostListeners = undefined;
    return true;
  }
}
