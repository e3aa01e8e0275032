import { setTimeout as pause } from 'node:timers/promises';
import { LockHeldError } from '@warren/contracts';
import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { onQuietChannel, quietChannel, replyCodeOf } from './quiet-channel.ts';

const ASK_TIMEOUT_MS = 2_000;

/** Who says that its work is done may still be about to close its connection. */
const MAY_BE_ENDING_MS = 1_000;
const AGAIN_AFTER_MS = 100;
const MAX_HOLDER_BYTES = 500;

/** RabbitMQ's pseudo queue for answers, and the beginning of the addresses that stand for it. */
const REPLY_TO = 'amq.rabbitmq.reply-to';

/**
 * Takes a lock that is free again when the connection ends, however it ends: an exclusive queue of an agreed name. An
 * exclusive consumer would not do, since quorum queues ignore that flag (measured on 3.10 and 4.3). Whoever comes second
 * tries for another second, since the first may just be ending, and then asks through the queue who holds it.
 * @param holder who takes it, for people
 * @throws LockHeldError naming the holder, if that one answers
 */
export async function takeLock(
  connection: ChannelModel,
  name: string,
  holder: string,
): Promise<void> {
  const deadlineMs = performance.now() + MAY_BE_ENDING_MS;
  for (;;) {
    const channel = await assertLock(connection, name);
    if (channel) {
      await channel.consume(name, (question) => answer(channel, question, holder), { noAck: true });
      return;
    }
    if (performance.now() >= deadlineMs) break;
    await pause(AGAIN_AFTER_MS);
  }
  throw new LockHeldError(name, await onQuietChannel(connection, (ask) => askHolder(ask, name)));
}

/**
 * Looks whether another connection holds a lock, without taking it. A user who may not even look is not kept from going on.
 * @throws LockHeldError naming the holder, if that one answers
 */
export async function refuseLocked(connection: ChannelModel, name: string): Promise<void> {
  const channel = await quietChannel(connection);
  try {
    await channel.checkQueue(name);
    await channel.close();
  } catch (error) {
    const code = replyCodeOf(error);
    if (code === 404 || code === 403) return;
    if (code !== 405) throw error;
    throw new LockHeldError(name, await onQuietChannel(connection, (ask) => askHolder(ask, name)));
  }
}

/** The channel that declared the lock's queue; undefined where another connection holds it. */
async function assertLock(connection: ChannelModel, name: string): Promise<Channel | undefined> {
  const channel = await quietChannel(connection);
  try {
    await channel.assertQueue(name, { exclusive: true, durable: false });
    return channel;
  } catch (error) {
    if (replyCodeOf(error) !== 405) throw error;
    return undefined;
  }
}

/** Anybody can put a message into the queue: answers go to a waiting client only, and never into a queue. */
function answer(channel: Channel, question: ConsumeMessage | null, holder: string): void {
  const replyTo: unknown = question?.properties.replyTo;
  if (typeof replyTo === 'string' && replyTo.startsWith(`${REPLY_TO}.`)) {
    channel.sendToQueue(replyTo, Buffer.from(holder).subarray(0, MAX_HOLDER_BYTES));
  }
}

async function askHolder(channel: Channel, name: string): Promise<string | undefined> {
  let hear: (holder: string | undefined) => void = () => {};
  const heard = new Promise<string | undefined>((resolve) => {
    hear = resolve;
  });
  const timer = setTimeout(() => hear(undefined), ASK_TIMEOUT_MS);
  await channel.consume(REPLY_TO, (message) => hear(message?.content.toString('utf8')), {
    noAck: true,
  });
  channel.sendToQueue(name, Buffer.alloc(0), {
    replyTo: REPLY_TO,
    expiration: String(ASK_TIMEOUT_MS),
  });
  const holder = await heard;
  clearTimeout(timer);
  return holder;
}
