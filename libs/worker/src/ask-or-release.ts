import type { Delivery, ReceivedMessage } from '@warren/broker';
import { pauseWhileHeld } from './pause-while-held.ts';
import type { Settler } from './settle.ts';

/** What asking the store for the jobs of one queue needs. */
export interface AskOrReleaseOptions {
  readonly settler: Pick<Settler, 'release'>;
  readonly stopping: AbortSignal;
  /** The store does not answer; `isFirst` where it did when it was last asked. */
  onProblem(error: unknown, isFirst: boolean): void;
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 30_000;

/** Asks the store before a job starts. While it is away jobs are given back, ever more slowly, and nothing is spent. */
export class AskOrRelease {
  readonly #options: AskOrReleaseOptions;
  #failures = 0;

  constructor(options: AskOrReleaseOptions) {
    this.#options = options;
  }

  /** @returns the answer; undefined when the delivery was given back */
  async ask<Answer>(
    delivery: Delivery,
    message: ReceivedMessage,
    question: () => Promise<Answer>,
  ): Promise<Answer | undefined> {
    const { settler, stopping, onProblem } = this.#options;
    try {
      const answer = await question();
      this.#failures = 0;
      return answer;
    } catch (error) {
      onProblem(error, this.#failures === 0);
      this.#failures += 1;
      // The delivery keeps its slot meanwhile: so many are asked for at a time, and no more.
      await pauseWhileHeld(delivery, stopping, pauseMs(this.#failures));
      await settler.release(delivery, message);
      return undefined;
    }
  }
}

function pauseMs(failures: number): number {
  return Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20));
}
