import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 50;
/** Longer than any wait of the demo takes, retries included. */
const WITHIN_MS = 30_000;

/**
 * Asks until the answer is something other than undefined.
 * @throws an error that names `what` after half a minute; the signal's reason when it is aborted
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
  signal: AbortSignal,
): Promise<T> {
  const deadlineMs = performance.now() + WITHIN_MS;
  for (;;) {
    signal.throwIfAborted();
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (performance.now() > deadlineMs)
      throw new Error(`not within ${WITHIN_MS / 1_000} s: ${what}`);
    await pause(EVERY_MS, undefined, { signal });
  }
}
