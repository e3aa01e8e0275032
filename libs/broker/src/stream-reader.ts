import type { Channel, ConsumeMessage, Message } from 'amqplib';
import { type ChannelError, ChannelSupervisor } from './channel-supervisor.ts';
import { retryPauseMs, type SupervisedConnection } from './connection.ts';
import { StreamInbox } from './stream-inbox.ts';
import type { StreamMessage } from './stream-message.ts';
import { StreamPosition, type StreamStart } from './stream-position.ts';
import { within } from './within.ts';

/** What a reader of a stream needs. */
export interface StreamReaderOptions {
  readonly stream: string;
  /**
   * Where to begin. `last` begins with the newest chunk, which may hold many messages. With `next`, a connection that is lost
   * before the first message makes it read again from up to ten seconds before its beginning.
   */
  readonly from: StreamStart;
  /** Messages in hand at most; those of one call too. Default 100. */
  readonly prefetch?: number | undefined;
  /**
   * Takes messages, in order, one call at a time. What it rejects is given to it again, after a pause that grows to five
   * seconds. After it resolved, no message comes again, whatever happens to the connection.
   */
  onMessages(messages: readonly StreamMessage[]): Promise<void>;
  /**
   * Messages from offset `from` up to, not including, `to` were dropped by the broker before they were read. With `to` at
   * or below `from`, the stream was made anew, and goes on with `to`.
   */
  onGap?(from: number, to: number): void;
  /** Opening, subscribing or `onMessages` failed; it is repeated with a growing pause. */
  onProblem?(problem: string): void;
}

const DEFAULT_PREFETCH = 100;
/** A broker with something to deliver does so within milliseconds. */
const SHORT_AFTER_MS = 5_000;
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Follows a stream on a channel of its own, for as long as it is wanted: after a reconnect it goes on with the message after
 * the last one that was taken. Where it stands is its owner's to keep, if it shall outlive the process.
 */
export class StreamReader {
  readonly stream: string;
  readonly #options: StreamReaderOptions;
  readonly #prefetch: number;
  readonly #position: StreamPosition;
  readonly #inbox: StreamInbox;
  readonly #supervisor: ChannelSupervisor<Channel>;
  readonly #repair: () => Promise<unknown>;
  readonly #onClosed: () => void;
  #repairing: Promise<unknown>;
  #channel: Channel | undefined;
  #hasDelivered = false;
  #short: NodeJS.Timeout | undefined;
  #problem: string | undefined = 'not reading yet';
  #isClosed = false;

  constructor(
    connection: SupervisedConnection,
    options: StreamReaderOptions,
    owner: { declared: Promise<void>; repair: () => Promise<unknown>; onClosed: () => void },
  ) {
    this.stream = options.stream;
    this.#options = options;
    this.#prefetch = options.prefetch ?? DEFAULT_PREFETCH;
    this.#repair = owner.repair;
    this.#onClosed = owner.onClosed;
    this.#repairing = owner.declared;
    this.#position = new StreamPosition(options.from);
    this.#inbox = new StreamInbox({
      take: (messages) => options.onMessages(messages),
      onTaken: (channel, tag) => this.#ack(channel, tag),
      onFailed: (error) => options.onProblem?.(messageOf(error)),
      pauseMs: (failures) => retryPauseMs(failures, Math.random()),
    });
    this.#supervisor = new ChannelSupervisor(connection, {
      create: (raw) => raw.createChannel(),
      prepare: (channel) => this.#subscribe(channel),
      onOpen: () => this.#onOpen(),
      onClose: (error) => this.#onClose(error),
      onOpenFailed: (error) => this.#onOpenFailed(error as ChannelError),
    });
  }

  /** Undefined while it reads; otherwise what is wrong. */
  get problem(): string | undefined {
    return this.#problem;
  }

  start(): void {
    this.#supervisor.start();
  }

  /** Reads no more. Resolves when `onMessages` has answered, if it is being called, or after five seconds. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#supervisor.stop();
    const channel = this.#channel;
    this.#lose('closed');
    await within(CLOSE_TIMEOUT_MS, this.#inbox.close()).catch(() => {});
    await within(CLOSE_TIMEOUT_MS, channel?.close() ?? Promise.resolve()).catch(() => {});
    this.#onClosed();
  }

  async #subscribe(channel: Channel): Promise<void> {
    await this.#repairing;
    // Known before the first message, which can come before `consume` returns.
    this.#channel = channel;
    this.#hasDelivered = false;
    await channel.prefetch(this.#prefetch);
    await channel.consume(this.stream, (message) => this.#onMessage(channel, message), {
      arguments: { 'x-stream-offset': this.#position.argument },
    });
    this.#position.subscribed(Date.now());
    if (this.#channel === channel && !this.#hasDelivered) this.#watchForShort();
  }

  #onOpen(): void {
    if (!this.#channel) {
      // The broker cancelled the consumer before its channel was known as the current one.
      this.#supervisor.abandon();
      return;
    }
    this.#problem = undefined;
  }

  #watchForShort(): void {
    if (!this.#position.mustDeliver) return;
    this.#short = setTimeout(() => {
      this.#position.isShort();
      this.#supervisor.abandon();
    }, SHORT_AFTER_MS).unref();
  }

  #onMessage(channel: Channel, message: ConsumeMessage | null): void {
    if (channel !== this.#channel) return;
    if (message === null) {
      this.#onCancelled();
      return;
    }
    this.#hasDelivered = true;
    clearTimeout(this.#short);
    const { fields, properties, content: body } = message;
    const offset = Number(properties.headers?.['x-stream-offset']);
    const { isNew, gap } = this.#position.at(offset);
    if (gap) this.#options.onGap?.(...gap);
    if (isNew) this.#inbox.add({ offset, body, properties }, channel, fields.deliveryTag);
    else channel.ack(message);
  }

  /** Acks what was taken, and what came before it: the broker may send as many more. */
  #ack(channel: Channel, tag: number): void {
    if (channel === this.#channel) channel.ack({ fields: { deliveryTag: tag } } as Message, true);
  }

  #onCancelled(): void {
    this.#planRepair();
    this.#lose('the broker cancelled the consumer');
    this.#supervisor.abandon();
  }

  #onClose(error: ChannelError | undefined): void {
    this.#lose(error?.message ?? 'the connection was lost');
    if (error?.code === 404) this.#planRepair();
  }

  #onOpenFailed({ message, code }: ChannelError): void {
    // Closed while a channel was opened: what became of that is nobody's concern.
    if (this.#isClosed) return;
    this.#lose(message);
    this.#options.onProblem?.(message);
    if (code === 404) this.#planRepair();
  }

  /** What was not begun is read again; what is being taken stays in hand. */
  #lose(reason: string): void {
    this.#channel = undefined;
    this.#problem = reason;
    clearTimeout(this.#short);
    const first = this.#inbox.forget();
    if (first !== undefined) this.#position.backTo(first);
  }

  #planRepair(): void {
    this.#repairing = this.#repair().catch((error: unknown) => {
      this.#options.onProblem?.(messageOf(error));
    });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
