import { setTimeout as pause } from 'node:timers/promises';

/** Something to be done again and again. */
export interface Duty {
  readonly everyMs: number;
  /** Ends early when `signal` aborts. What it rejects is told, and it is done again when its time comes. */
  run(signal: AbortSignal): Promise<void>;
}

/** Does it now and then every so often, until `signal` aborts; resolves when it is over. */
export async function repeat(
  { everyMs, run }: Duty,
  signal: AbortSignal,
  onProblem: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) onProblem(error);
    }
    await pause(everyMs, undefined, { signal }).catch(() => {});
  }
}
