import { setTimeout as pause } from 'node:timers/promises';

/** A broker with something in a stream delivers it within milliseconds, unless it has much to do. */
const WITHIN_MS = 10_000;
/** What was written in the last seconds a broker may not have counted yet. */
const EMPTY_AFTER_MS = 1_500;
const QUIET_MS = 100;
const LOOK_MS = 20;

/** What is known of a stream that is read from its newest part on. */
interface Stream {
  /** Does the broker count nothing in it? */
  readonly isEmpty: boolean;
  isReading(): boolean;
}

/** Waits for what a stream holds: the first piece of news, if there is any, and until no more follow. */
export class News {
  #lastAt: number | undefined;

  tell(): void {
    this.#lastAt = performance.now();
  }

  /** False where the stream was not read in time, or holds what did not come. */
  async settled({ isEmpty, isReading }: Stream): Promise<boolean> {
    const endsAt = performance.now() + WITHIN_MS;
    let readingAt: number | undefined;
    for (let nowAt = 0; nowAt < endsAt; await pause(LOOK_MS)) {
      nowAt = performance.now();
      if (isReading()) readingAt ??= nowAt;
      if (this.#lastAt !== undefined) {
        if (nowAt - this.#lastAt > QUIET_MS) return true;
      } else if (isEmpty && readingAt !== undefined && nowAt - readingAt > EMPTY_AFTER_MS) {
        return true;
      }
    }
    return this.#lastAt !== undefined;
  }
}
