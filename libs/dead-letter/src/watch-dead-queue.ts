import { setTimeout as pause } from 'node:timers/promises';
import { readMessage } from '@warren/broker';
import type { CanaryOutcome, ReplayedJob, WatchOptions } from './canary.ts';

const LOOK_EVERY_MS = 500;

/**
 * Looks for replayed jobs among the dead letters: the way to see failures where there is no history. Success cannot be
 * seen so: who has not failed again within the time counts as well.
 */
export async function watchDeadQueue(
  { session, source, waitMs }: WatchOptions,
  jobs: readonly ReplayedJob[],
  signal: AbortSignal,
): Promise<CanaryOutcome> {
  const generations = new Map(jobs.map(({ id, generation }) => [id, generation]));
  const endsAtMs = performance.now() + waitMs;
  let known = -1;
  while (performance.now() < endsAtMs && !signal.aborted) {
    const depth = await session.depth(source.queue);
    if (depth !== known) {
      known = depth;
      let failed = 0;
      await session.browse(source.queue, {
        limit: Number.MAX_SAFE_INTEGER,
        onMessage(message) {
          const { id, generation } = readMessage({ message });
          if (id !== undefined && (generations.get(id) ?? Infinity) <= generation) failed += 1;
          return true;
        },
      });
      if (failed > 0) return { failed, unfinished: jobs.length - failed };
    }
    await pause(LOOK_EVERY_MS, undefined, { signal }).catch(() => {});
  }
  return { failed: 0, unfinished: 0 };
}
