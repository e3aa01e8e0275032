import { createNames } from '@warren/topology';
import { BareInstallation } from '../bare.ts';
import { benchJob } from '../job.ts';
import { kitClient } from '../kit.ts';
import type { QueuePlace } from './place.ts';

/** Where Warren keeps the bench's jobs. */
export function placeIn(url: string, namespace: string): QueuePlace {
  const names = createNames(namespace);
  return {
    url,
    namespace,
    exchange: names.jobs,
    routingKey: benchJob.type,
    queue: names.workQueue(benchJob.type),
  };
}

/** Declares the queues as Warren does, and empties the one that jobs are worked from. */
export async function resetQueues(url: string, namespace: string): Promise<void> {
  const bare = new BareInstallation(url, namespace);
  await (await kitClient(url, namespace)).close();
  const connection = await bare.connect();
  const channel = await connection.createChannel();
  await channel.purgeQueue(bare.queue);
  await connection.close();
}

/** Removes them, with all that is in them. */
export function removeQueues(url: string, namespace: string): Promise<void> {
  return new BareInstallation(url, namespace).dispose();
}
