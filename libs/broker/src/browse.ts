import { setTimeout as pause } from 'node:timers/promises';
import { QueueMissingError } from '@warren/contracts';
import type { Channel, ChannelModel } from 'amqplib';
import type { Delivery } from './delivery.ts';
import { quietChannel, replyCodeOf } from './quiet-channel.ts';
import { isAtLeast } from './server-version.ts';

/** The most that one consumer can be given without settling: AMQP has 16 bits for it. */
export const MAX_BROWSE = 65_535;

/** What to look at. */
export interface BrowseOptions {
  /** Messages at most, up to `MAX_BROWSE`. */
  readonly limit: number;
  /** Called for each message, from the oldest; false ends it. It must not throw. */
  onMessage(message: Delivery['message']): boolean;
  /** As `nacksInOrder` of the broker's version. */
  readonly nacks: boolean;
}

/**
 * From 4.3 a nack gives back what it names in order, and counts nothing. Before, a nack of more than 32 messages gives them
 * back in any order (measured on 3.10.8), while the end of a channel keeps it; either counts.
 */
export function nacksInOrder(serverVersion: string | undefined): boolean {
  return isAtLeast(serverVersion, 4, 3);
}

/** Somebody else may hold what was counted: no message within this time, and it is over. */
const QUIET_MS = 2_000;

/** The broker takes a moment to have back what was given back; longer, and somebody else has it. */
const BACK_WITHIN_MS = 1_000;
const BACK_EVERY_MS = 20;

/**
 * Looks at the oldest messages of a queue and gives all of them back, in their order; they are there when it resolves.
 * Below RabbitMQ 4.3 each look raises the broker's count of returns by one: only for queues with a high delivery limit.
 * @returns messages that were ready when it began
 * @throws QueueMissingError, or an error when the channel is lost
 */
export async function browse(
  connection: ChannelModel,
  queue: string,
  options: BrowseOptions,
): Promise<number> {
  const channel = await quietChannel(connection);
  const depth = await depthOn(channel, queue);
  if (depth > 0) await new Look(channel, queue, options, depth).done();
  await channel.close();
  if (depth > 0) await untilBack(connection, queue, depth);
  return depth;
}

async function untilBack(connection: ChannelModel, queue: string, depth: number): Promise<void> {
  const channel = await quietChannel(connection);
  const deadlineMs = Date.now() + BACK_WITHIN_MS;
  while ((await depthOn(channel, queue)) < depth && Date.now() < deadlineMs) {
    await pause(BACK_EVERY_MS);
  }
  await channel.close();
}

/** @throws QueueMissingError; the channel is closed then */
export async function depthOn(channel: Channel, queue: string): Promise<number> {
  try {
    return (await channel.checkQueue(queue)).messageCount;
  } catch (error) {
    throw replyCodeOf(error) === 404 ? new QueueMissingError(queue) : error;
  }
}

/**
 * A quorum queue keeps what came back in a queue of its own, delivered before all else, and adds to its end: looking at a
 * part of it would turn it round (measured on 3.10 and 4.3). So a look goes on to the first message that never came back,
 * in steps: each is a consumer with a prefetch of its own. They give back in the order
 * of their tags, as long as they are 32 at most.
 */
class Look {
  readonly #channel: Channel;
  readonly #queue: string;
  readonly #options: BrowseOptions;
  readonly #depth: number;
  readonly #tags: string[] = [];
  #granted = 0;
  #seen = 0;
  #wanting = true;
  #over = false;
  #end: (error?: Error) => void = () => {};
  #quiet: NodeJS.Timeout | undefined;

  constructor(channel: Channel, queue: string, options: BrowseOptions, depth: number) {
    this.#channel = channel;
    this.#queue = queue;
    this.#options = options;
    this.#depth = depth;
  }

  async done(): Promise<void> {
    const ended = new Promise<void>((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve());
    });
    const onClose = () => this.#end(new Error('the channel was closed while looking'));
    this.#channel.on('close', onClose);
    this.#quiet = setTimeout(() => this.#end(), QUIET_MS);
    this.#step(this.#options.limit);
    try {
      await ended;
      await this.#giveBack();
    } finally {
      this.#over = true;
      clearTimeout(this.#quiet);
      this.#channel.off('close', onClose);
    }
  }

  /** A consumer that still ran would get them again at once. Without a nack it is the end of the channel that does it. */
  async #giveBack(): Promise<void> {
    for (const tag of this.#tags) await this.#channel.cancel(tag);
    if (this.#options.nacks) this.#channel.nackAll(true);
  }

  #step(wanted: number): void {
    const count = Math.min(wanted, this.#depth - this.#granted, MAX_BROWSE);
    this.#granted += count;
    const consumerTag = `look-${String(this.#tags.length).padStart(4, '0')}`;
    this.#tags.push(consumerTag);
    this.#channel
      .prefetch(count)
      .then(() =>
        this.#channel.consume(this.#queue, (message) => this.#onMessage(message), { consumerTag }),
      )
      .catch((error: unknown) => this.#end(error as Error));
  }

  #onMessage(message: Delivery['message'] | null): void {
    if (this.#over) return;
    if (!message) {
      this.#end(new QueueMissingError(this.#queue));
      return;
    }
    this.#quiet?.refresh();
    this.#seen += 1;
    if (this.#wanting) {
      const goesOn = this.#options.onMessage(message);
      this.#wanting = goesOn && this.#seen < this.#options.limit;
    }
    const isEnough = !this.#wanting && !message.fields.redelivered;
    if (isEnough || this.#seen >= this.#depth) {
      this.#over = true;
      this.#end();
    } else if (this.#seen === this.#granted) this.#step(this.#seen);
  }
}
