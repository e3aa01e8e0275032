import { type HistoryEvent, isTerminal, stateAfter } from '@warren/history';
import type { CanaryOutcome, ReplayedJob } from './canary.ts';

/** More than any canary has. */
const MAX_ENDS = 100_000;

/** Which jobs have ended, and how, as the history tells. */
export class CanaryEnds {
  readonly #ends = new Map<string, boolean>();
  #hear: (() => void)[] = [];

  tell(event: HistoryEvent): void {
    const state = stateAfter(event);
    if (state === undefined || !isTerminal(state)) return;
    if (this.#ends.size < MAX_ENDS) {
      this.#ends.set(keyOf(event), state !== 'dead' && state !== 'discarded');
    }
    for (const hear of this.#hear.splice(0)) hear();
  }

  outcomeOf(jobs: readonly ReplayedJob[]): CanaryOutcome {
    const ends = jobs.map((job) => this.#ends.get(keyOf(job)));
    const count = (wanted: boolean | undefined) => ends.filter((one) => one === wanted).length;
    return { failed: count(false), unfinished: count(undefined) };
  }

  /** Resolves when something more has ended, or the signal is aborted. */
  news(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) resolve();
      this.#hear.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

function keyOf({ id, generation }: ReplayedJob): string {
  return `${generation} ${id}`;
}
