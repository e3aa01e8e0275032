import { setTimeout as pause } from 'node:timers/promises';
import type { StoreLock } from '@warren/store';
import { growingPauseMs } from './growing-pause.ts';

/** What several processes take turns at. */
export interface Turns {
  /** Undefined while another has the turn. */
  tryLock(): Promise<StoreLock | undefined>;
  /** What the one does whose turn it is. Ends when `signal` aborts; when it ends by itself, it is begun again. */
  reign(signal: AbortSignal): Promise<void>;
  /** Another has the turn. */
  onStandby(): void;
  onProblem(error: unknown): void;
}

/** How soon a standby notices that it is its turn. */
const STANDBY_MS = 1_000;
/** A reign that ends by itself is not followed by the next at once. */
const BETWEEN_MS = 50;

/** One of several processes reigns at a time, and another when that one is gone, until `signal` aborts. */
export async function takeTurns(turns: Turns, signal: AbortSignal): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    let pauseMs = BETWEEN_MS;
    try {
      if (!(await reignOnce(turns, signal))) pauseMs = STANDBY_MS * (0.5 + Math.random() / 2);
      failures = 0;
    } catch (error) {
      failures += 1;
      pauseMs = growingPauseMs(failures, Math.random());
      turns.onProblem(error);
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** False when it was not its turn. */
async function reignOnce(turns: Turns, signal: AbortSignal): Promise<boolean> {
  const lock = await turns.tryLock();
  if (!lock) {
    turns.onStandby();
    return false;
  }
  try {
    await turns.reign(AbortSignal.any([signal, lock.lost]));
    return true;
  } finally {
    await lock.release();
  }
}
