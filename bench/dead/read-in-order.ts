import type { ChannelModel, ConsumeMessage } from 'amqplib';

/** What was found in a queue whose messages are numbered from 1 on. */
export interface Order {
  readonly found: number;
  /** Those that did not follow on the one before. */
  readonly outOfPlace: number;
}

const PREFETCH = 2_000;
const ACK_EVERY = 500;
/** Nothing came for so long: there is nothing left. */
const QUIET_MS = 10_000;

/** Takes all messages out of a queue, `count` at most, and looks whether each is in its place. */
export async function readInOrder(
  connection: ChannelModel,
  queue: string,
  count: number,
  numberOf: (message: ConsumeMessage) => number,
): Promise<Order> {
  const channel = await connection.createChannel();
  await channel.prefetch(PREFETCH);
  let [found, outOfPlace, last] = [0, 0, 0];
  await new Promise<void>((resolve, reject) => {
    const quiet = setTimeout(resolve, QUIET_MS);
    const onMessage = (message: ConsumeMessage | null) => {
      if (!message) return reject(new Error('the queue is gone'));
      quiet.refresh();
      found += 1;
      const number = numberOf(message);
      if (number !== last + 1) outOfPlace += 1;
      last = number;
      if (found % ACK_EVERY === 0) channel.ack(message, true);
      if (found < count) return;
      clearTimeout(quiet);
      resolve();
    };
    channel.consume(queue, onMessage).catch(reject);
  });
  await channel.close();
  return { found, outOfPlace };
}
