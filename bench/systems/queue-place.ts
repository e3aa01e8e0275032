import type { QueuePlace, Route } from './place.ts';

/** What a confirmed publish to a queue of Warren's survives. */
export const QUORUM_CONFIRMED =
  'quorum queue, persistent and mandatory, each publish confirmed after it is synced to disk';

/**
 * Declares the queues as Warren does, and empties them. Loads Warren only then: a peer's process is to hold the peer alone.
 * @param routes all that jobs are spread over
 */
export async function resetPlace(
  place: QueuePlace,
  routes: readonly Route[] = [place],
): Promise<void> {
  const { resetQueues } = await import('./queues.ts');
  await resetQueues(place.url, place.namespace, jobTypesOf(routes));
}

/** Removes them. */
export async function removePlace(
  place: QueuePlace,
  routes: readonly Route[] = [place],
): Promise<void> {
  const { removeQueues } = await import('./queues.ts');
  await removeQueues(place.url, place.namespace, jobTypesOf(routes));
}

function jobTypesOf(routes: readonly Route[]): string[] {
  return routes.map(({ routingKey }) => routingKey);
}
