import amqplib from 'amqplib';

/** Another process does the same on this broker, and both would use the same queues. */
export class NotAloneError extends Error {}

/**
 * Does the work while no other process does it on the same broker: by an exclusive queue of an agreed name, which is gone with its
 * connection, however that ends.
 * @throws NotAloneError
 */
export async function alone<Result>(
  url: string,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const connection = await amqplib.connect(url);
  // What was asked for rejects with the same.
  connection.on('error', () => {});
  try {
    const channel = await connection.createChannel();
    channel.on('error', () => {});
    await channel.assertQueue(name, { exclusive: true, durable: false }).catch((error: unknown) => {
      if (!String(error).includes('RESOURCE_LOCKED')) throw error;
      throw new NotAloneError(`another process runs ${name} on this broker`);
    });
    return await work();
  } finally {
    // It may be lost by now.
    await connection.close().catch(() => {});
  }
}
