import type { Delivery, ReceivedMessage } from '@warren/broker';
import { pauseWhileHeld } from './pause-while-held.ts';
import type { Settler } from './settle.ts';
import { within } from './within.ts';

/** What asking the store for the jobs of one queue needs. */
export interface AskOrReleaseOptions {
  readonly settler: Pick<Settler, 'release'>;
  readonly stopping: AbortSignal;
  /** For so long the same is asked again before a delivery is given back. Default: it is asked once. */
  readonly holdMs?: number | undefined;
  /** The store does not answer; `isFirst` where it did when it was last asked. */
  onProblem(error: unknown, isFirst: boolean): void;
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 30_000;
/** So often at least, while it is held. */
const ASKED_WHILE_HELD = 6;

/** Asks the store before a job starts. While it is away jobs are given back, ever more slowly, and nothing is spent. */
export class AskOrRelease {
  readonly #options: AskOrReleaseOptions;
  #failures = 0;

  constructor(options: AskOrReleaseOptions) {
    this.#options = options;
  }

  /**
   * @param onNoAnswer called before the delivery is given back
   * @returns the answer; undefined when the delivery was given back
   */
  async ask<Answer>(
    delivery: Delivery,
    message: ReceivedMessage,
    question: () => Promise<Answer>,
    onNoAnswer?: () => void,
  ): Promise<Answer | undefined> {
    const { settler, stopping, holdMs = 0, onProblem } = this.#options;
    const heldUntilMs = performance.now() + holdMs;
    for (;;) {
      try {
        const answer = await this.#inTime(question());
        this.#failures = 0;
        return answer;
      } catch (error) {
        onProblem(error, this.#failures === 0);
        this.#failures += 1;
        // The delivery keeps its slot meanwhile: so many are asked for at a time, and no more.
        await pauseWhileHeld(delivery, stopping, this.#pauseMs());
        const mayAsk = !delivery.isLost && !stopping.aborted;
        if (mayAsk && performance.now() < heldUntilMs) continue;
        onNoAnswer?.();
        await settler.release(delivery, message);
        return undefined;
      }
    }
  }

  /** An answer that never comes must not take all the time that there is for asking again. */
  async #inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const { holdMs } = this.#options;
    if (holdMs === undefined) return answer;
    const longestMs = holdMs / ASKED_WHILE_HELD;
    if (await within(longestMs, answer)) return answer;
    throw new Error(`the store did not answer within ${longestMs} ms`);
  }

  #pauseMs(): number {
    const { holdMs } = this.#options;
    const longest = holdMs === undefined ? LAST_PAUSE_MS : holdMs / ASKED_WHILE_HELD;
    return Math.min(longest, FIRST_PAUSE_MS * 2 ** Math.min(this.#failures - 1, 20));
  }
}
