const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;

/** Before the next try after so many failures in a row; `random` is from 0 to 1, so that several do not try at once. */
export function growingPauseMs(failures: number, random: number): number {
  const fullMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20));
  return fullMs * (0.5 + random / 2);
}
