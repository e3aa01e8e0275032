import { setTimeout as wait } from 'node:timers/promises';
import { isGroupHalted } from './group-threads.ts';

/** How long killed processes may take to disappear. */
const GONE_WITHIN_MS = 10_000;
/** How long a paused group may take to stand still. */
const PAUSED_WITHIN_MS = 10_000;
const POLL_MS = 5;

/** Sends a signal to a whole process group. A group that is gone is no error. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  if (leader <= 0) return;
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (!isNoSuchProcess(error)) throw error;
  }
}

/** SIGKILL to a whole process group; resolves with `gone`, rejects when that takes too long. */
export async function killGroup(leader: number, gone: Promise<void>): Promise<void> {
  signalGroup(leader, 'SIGKILL');
  let bound: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    const error = new Error(
      `process group ${leader} is still there ${GONE_WITHIN_MS} ms after SIGKILL`,
    );
    bound = setTimeout(reject, GONE_WITHIN_MS, error);
  });
  await Promise.race([gone, tooLong]).finally(() => clearTimeout(bound));
}

/**
 * SIGSTOP to a whole process group; resolves once no thread of it runs any more. The kernel tells one thread, which
 * stops the others when it gets its turn: on a busy machine they go on for a while (seen: more than 300 ms).
 */
export async function pauseGroup(leader: number): Promise<void> {
  signalGroup(leader, 'SIGSTOP');
  const endsAtMs = performance.now() + PAUSED_WITHIN_MS;
  while (!isGroupHalted(leader)) {
    if (performance.now() > endsAtMs) {
      throw new Error(`process group ${leader} still runs ${PAUSED_WITHIN_MS} ms after SIGSTOP`);
    }
    await wait(POLL_MS);
  }
}

/** Whether a process with this id exists (possibly somebody else's). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !isNoSuchProcess(error);
  }
}

function isNoSuchProcess(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}
