import { EventEmitter } from 'node:events';
import type { Channel, ChannelModel, ConfirmChannel, Message } from 'amqplib';
import amqplib from 'amqplib';
import type { ChannelError } from './channel-supervisor.ts';
import type { SupervisedConnection } from './connection.ts';

type Answer = (error: Error | null) => void;

/** A publish as the channel got it, with the broker's answers to it. */
export interface SentMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly messageId: string;
  readonly answer: Answer;
}

/**
 * The surface of a raw channel as amqplib 2.3.1 shows it, for orders of events that no broker can be made to produce:
 * the test plays the broker. A closed channel throws where amqplib's throws.
 */
export class FakeChannel extends EventEmitter {
  readonly sent: SentMessage[] = [];
  readonly settled: string[] = [];
  readonly consumers = new Map<string, (message: unknown) => void>();
  readonly prefetches: number[] = [];
  /** What was asked of the broker, in order. */
  readonly steps: string[] = [];
  #closedBecause: string | undefined;

  publish(
    exchange: string,
    routingKey: string,
    body: Buffer,
    properties: { messageId: string; headers?: Record<string, unknown> },
    answer: Answer,
  ): boolean {
    this.#checkOpen();
    for (const value of Object.values(properties.headers ?? {})) {
      if (typeof value === 'bigint') throw new TypeError('Unknown type to encode: bigint');
    }
    this.sent.push({ exchange, routingKey, body, messageId: properties.messageId, answer });
    return true;
  }

  ack({ fields: { deliveryTag } }: Message, multiple: boolean): void {
    this.#checkOpen();
    this.#settle(`ack ${deliveryTag}${multiple ? ' multiple' : ''}`);
  }

  nack({ fields: { deliveryTag } }: Message, _multiple: boolean, requeue: boolean): void {
    this.#checkOpen();
    this.#settle(`nack ${deliveryTag}${requeue ? ' requeue' : ''}`);
  }

  nackAll(requeue: boolean): void {
    this.#checkOpen();
    this.#settle(`nack all${requeue ? ' requeue' : ''}`);
  }

  async prefetch(count: number): Promise<void> {
    this.#checkOpen();
    this.steps.push(`prefetch ${count}`);
    this.prefetches.push(count);
  }

  async consume(
    _queue: string,
    onMessage: (message: unknown) => void,
    { consumerTag }: { consumerTag: string },
  ): Promise<void> {
    this.#checkOpen();
    this.steps.push('consume');
    this.consumers.set(consumerTag, onMessage);
  }

  async cancel(consumerTag: string): Promise<void> {
    this.#checkOpen();
    this.steps.push('cancel');
    this.consumers.delete(consumerTag);
  }

  async close(): Promise<void> {
    this.#checkOpen();
    this.steps.push('close');
    this.closes();
  }

  /** The channel stops taking anything; its `close` comes later, when the broker has answered. */
  isClosing(): void {
    this.#closedBecause = 'Channel closing';
  }

  /** The channel ends: by the broker's error, or with its connection. */
  closes(error?: { code: number; text: string }): void {
    if (error) {
      const said = new Error(
        `Channel closed by server: ${error.code} with message "${error.text}"`,
      );
      this.emit('error', Object.assign(said, { code: error.code }) satisfies ChannelError);
    }
    this.#closedBecause = 'Channel closed';
    for (const { answer } of this.sent) answer(new Error('channel closed'));
    this.emit('close');
  }

  /** The broker gives a mandatory message back. */
  returns({ exchange, routingKey, messageId }: SentMessage): void {
    this.emit('return', {
      fields: { exchange, routingKey, replyCode: 312, replyText: 'NO_ROUTE' },
      properties: { messageId },
    });
  }

  #settle(what: string): void {
    this.steps.push(what);
    this.settled.push(what);
  }

  #checkOpen(): void {
    const why = this.#closedBecause;
    if (why) throw new amqplib.IllegalOperationError(why, '');
  }
}

/** A connection that a test takes up and down and blocks. Each channel that is asked for is a new one. */
export class FakeConnection {
  readonly channels: FakeChannel[] = [];
  problem = 'no broker';
  blockedReason: string | undefined;
  current: ChannelModel | undefined;
  /** How often the code under test asked for another connection. */
  discarded = 0;
  /** Answers of the broker to the next requests for a channel: refusals. */
  refusals: Error[] = [];
  readonly #up = new Set<(connection: ChannelModel) => void>();
  readonly #blocked = new Set<() => void>();

  /** As the code under test knows it. */
  get asConnection(): SupervisedConnection {
    return this as unknown as SupervisedConnection;
  }

  /** The channel that was opened last. */
  get channel(): FakeChannel {
    const last = this.channels.at(-1);
    if (!last) throw new Error('no channel was opened');
    return last;
  }

  onUp(listener: (connection: ChannelModel) => void): () => void {
    this.#up.add(listener);
    if (this.current) listener(this.current);
    return () => this.#up.delete(listener);
  }

  onBlockedChange(listener: () => void): () => void {
    this.#blocked.add(listener);
    return () => this.#blocked.delete(listener);
  }

  discard(connection: ChannelModel): void {
    if (this.current === connection) this.discarded += 1;
  }

  comesUp(): void {
    const open = async <C extends Channel>(): Promise<C> => {
      const refusal = this.refusals.shift();
      if (refusal) throw refusal;
      const channel = new FakeChannel();
      this.channels.push(channel);
      return channel as unknown as C;
    };
    this.current = {
      createChannel: () => open<Channel>(),
      createConfirmChannel: () => open<ConfirmChannel>(),
    } as unknown as ChannelModel;
    for (const listener of this.#up) listener(this.current);
  }

  goesDown(): void {
    this.current = undefined;
    this.channels.at(-1)?.closes();
  }

  blocks(reason: string | undefined): void {
    this.blockedReason = reason;
    for (const listener of this.#blocked) listener();
  }
}
