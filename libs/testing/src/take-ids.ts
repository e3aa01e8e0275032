import type { Channel } from 'amqplib';
import { AmqpAdmin } from './amqp-admin.ts';

/** Empties a queue, over a connection of its own, and tells the ids of what was in it; quick for thousands. */
export async function takeIds(url: string, queue: string): Promise<string[]> {
  const admin = await AmqpAdmin.connect(url);
  try {
    const ids: string[] = [];
    for (let ready = 1; ready > 0; ready = (await admin.depth(queue)) ?? 0) {
      await admin.run((channel) => take(channel, queue, ids));
    }
    return ids;
  } finally {
    await admin.close();
  }
}

/** As many as are there now. */
async function take(channel: Channel, queue: string, ids: string[]): Promise<void> {
  const { messageCount } = await channel.checkQueue(queue);
  const enough = ids.length + messageCount;
  if (messageCount === 0) return;
  let consumerTag = '';
  await new Promise<void>((resolve, reject) => {
    const consuming = channel.consume(
      queue,
      (message) => {
        if (!message) reject(new Error(`${queue} was deleted`));
        else if (ids.push(String(message.properties.messageId)) === enough) resolve();
      },
      { noAck: true },
    );
    consuming.then((consumer) => {
      consumerTag = consumer.consumerTag;
    }, reject);
  });
  await channel.cancel(consumerTag);
}
