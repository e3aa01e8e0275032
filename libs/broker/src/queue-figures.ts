import type { Channel, ChannelModel } from 'amqplib';
import { quietChannel, replyCodeOf } from './quiet-channel.ts';

/** What the broker says of a queue. */
export interface QueueFigures {
  /** Messages that nobody has in hand. */
  readonly ready: number;
  readonly consumers: number;
}

/** Asks for queues one by one; undefined for one that does not exist. */
export async function queueFigures(
  connection: ChannelModel,
  queues: readonly string[],
): Promise<ReadonlyMap<string, QueueFigures | undefined>> {
  const figures = new Map<string, QueueFigures | undefined>();
  let channel = await quietChannel(connection);
  try {
    for (const queue of queues) {
      const found = await figuresOf(channel, queue);
      figures.set(queue, found);
      // The broker has closed it over the question.
      if (!found) channel = await quietChannel(connection);
    }
  } finally {
    await channel.close().catch(() => {});
  }
  return figures;
}

async function figuresOf(channel: Channel, queue: string): Promise<QueueFigures | undefined> {
  try {
    const { messageCount: ready, consumerCount: consumers } = await channel.checkQueue(queue);
    return { ready, consumers };
  } catch (error) {
    if (replyCodeOf(error) === 404) return undefined;
    throw error;
  }
}
