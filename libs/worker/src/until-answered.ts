import type { Held } from './held.ts';
import { pauseWhileHeld } from './pause-while-held.ts';

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;

/**
 * Asks the store until it answers, with growing pauses, for as long as what it is asked for is held and nobody has given up.
 * @returns undefined where it did not answer
 */
export async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  held: Pick<Held, 'isLost' | 'onLost'>,
  gaveUp: AbortSignal,
): Promise<Answer | undefined> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2)) {
    try {
      return await ask();
    } catch {
      if (held.isLost || gaveUp.aborted) return undefined;
      await pauseWhileHeld(held, gaveUp, pauseMs);
      if (held.isLost || gaveUp.aborted) return undefined;
    }
  }
}
