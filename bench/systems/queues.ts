import { createNames } from '@warren/topology';
import amqplib from 'amqplib';
import { BareInstallation } from '../bare.ts';
import { benchJob } from '../job.ts';
import type { QueuePlace, Route } from './place.ts';

/** Where Warren keeps the bench's jobs. */
export function placeIn(url: string, namespace: string): QueuePlace {
  const { jobs: exchange } = createNames(namespace);
  const [route] = routesIn(namespace, [benchJob.type]) as [Route];
  return { url, namespace, exchange, ...route };
}

/** Where it keeps those of so many types. */
export function routesIn(namespace: string, jobTypes: readonly string[]): Route[] {
  const names = createNames(namespace);
  return jobTypes.map((type) => ({ routingKey: type, queue: names.workQueue(type) }));
}

/** Declares the queues as Warren does, and empties those that jobs are worked from. */
export async function resetQueues(
  url: string,
  namespace: string,
  jobTypes: readonly string[],
): Promise<void> {
  const bare = new BareInstallation(url, namespace, jobTypes);
  await bare.declare();
  const connection = await bare.connect();
  const channel = await connection.createChannel();
  for (const { queue } of routesIn(namespace, jobTypes)) await channel.purgeQueue(queue);
  await connection.close();
}

/** How many jobs are ready in it; 0 also where there is no such queue. */
export async function waitingIn(url: string, queue: string): Promise<number> {
  const connection = await amqplib.connect(url);
  try {
    const channel = await connection.createChannel();
    // What was asked for rejects with the same.
    channel.on('error', () => {});
    return (await channel.checkQueue(queue)).messageCount;
  } catch (error) {
    if (String(error).includes('NOT_FOUND')) return 0;
    throw error;
  } finally {
    await connection.close();
  }
}

/** Removes them, with all that is in them. */
export function removeQueues(
  url: string,
  namespace: string,
  jobTypes: readonly string[],
): Promise<void> {
  return new BareInstallation(url, namespace, jobTypes).dispose();
}
