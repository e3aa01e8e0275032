import { setImmediate as breathe } from 'node:timers/promises';

/** Heartbeats and other jobs need the process too. */
const STRETCH_MS = 20;

/**
 * Passes items on as they are made, and lets the process see to other things between them when making them takes long.
 * @throws whatever making an item throws; the signal's reason
 */
export async function* inBreaths<Item>(
  items: Iterable<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  let sinceMs = performance.now();
  for (const item of items) {
    yield item;
    if (performance.now() - sinceMs < STRETCH_MS) continue;
    await breathe();
    sinceMs = performance.now();
    signal.throwIfAborted();
  }
}
