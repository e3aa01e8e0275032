const EVERY_MS = 250;

/** An event loop that stands still for so long may cost the shortest heartbeat its connection. */
const STILL_MS = 1_000;

/** A connection that was lost meanwhile is noticed so soon afterwards. */
const NOTICED_WITHIN_MS = 5_000;

/** Knows whether the event loop of this process stood still of late: a handler may have blocked it. */
export class LoopWatch {
  #timer: NodeJS.Timeout | undefined;
  #turnedAtMs = performance.now();
  #stoodStillAtMs = Number.NEGATIVE_INFINITY;

  start(): void {
    this.#turnedAtMs = performance.now();
    this.#timer ??= setInterval(() => this.#look(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Whether it stood still in the last seconds, until now at most. False while stopped. */
  stoodStill(): boolean {
    if (this.#timer) this.#look();
    return performance.now() - this.#stoodStillAtMs < NOTICED_WITHIN_MS;
  }

  #look(): void {
    const nowMs = performance.now();
    if (nowMs - this.#turnedAtMs >= STILL_MS) this.#stoodStillAtMs = nowMs;
    this.#turnedAtMs = nowMs;
  }
}
