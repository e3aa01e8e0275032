import { setTimeout as pause } from 'node:timers/promises';

const EVERY_MS = 25;

/**
 * Asks again until `probe` answers something other than undefined or false. For what a broker tells only when asked;
 * where there is an event, await that.
 * @throws an error that names `what` and the last answer or failure, after `withinMs`
 */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  withinMs = 20_000,
): Promise<T> {
  const deadlineMs = Date.now() + withinMs;
  // A probe that never answers must not keep its caller for ever.
  const outOfTime = pause(withinMs, undefined, { ref: false });
  let last: unknown = 'no answer';
  while (Date.now() < deadlineMs) {
    try {
      const answer = await Promise.race([probe(), outOfTime]);
      if (answer !== undefined && answer !== false) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    await pause(EVERY_MS);
  }
  throw new Error(`not within ${withinMs} ms: ${what} (last: ${String(last)})`);
}
