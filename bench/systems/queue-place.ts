import type { QueuePlace } from './place.ts';

/** What a confirmed publish to a queue of Warren's survives. */
export const QUORUM_CONFIRMED =
  'quorum queue, persistent and mandatory, each publish confirmed after it is synced to disk';

/** Declares the queues as Warren does, and empties them. Loads Warren only then: a peer's process is to hold the peer alone. */
export async function resetPlace({ url, namespace }: QueuePlace): Promise<void> {
  const { resetQueues } = await import('./queues.ts');
  await resetQueues(url, namespace);
}

/** Removes them. */
export async function removePlace({ url, namespace }: QueuePlace): Promise<void> {
  const { removeQueues } = await import('./queues.ts');
  await removeQueues(url, namespace);
}
