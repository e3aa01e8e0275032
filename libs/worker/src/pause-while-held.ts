import type { Held } from './held.ts';

/** Waits, but not longer than the delivery is held, nor than nobody has given up. Never rejects. */
export async function pauseWhileHeld(
  held: Pick<Held, 'onLost'>,
  gaveUp: AbortSignal,
  pauseMs: number,
): Promise<void> {
  if (gaveUp.aborted) return;
  await new Promise<void>((resolve) => {
    // Not yet known when the delivery is lost already: then `done` runs at once.
    let stopListening: (() => void) | undefined;
    const done = () => {
      clearTimeout(timer);
      gaveUp.removeEventListener('abort', done);
      stopListening?.();
      resolve();
    };
    const timer = setTimeout(done, pauseMs);
    gaveUp.addEventListener('abort', done);
    stopListening = held.onLost(done);
  });
}
