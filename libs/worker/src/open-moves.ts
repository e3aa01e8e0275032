/**
 * Moves of one process that are not over: published, and not yet confirmed and acknowledged. A suspect must not start
 * before them. It may block the process until its connections die, and then the messages under way come back and are
 * copied again, each time one more.
 */
export class OpenMoves {
  #open = 0;
  readonly #waiting = new Set<() => void>();

  /** Those who wait for none. */
  get waiting(): number {
    return this.#waiting.size;
  }

  begin(): void {
    this.#open += 1;
  }

  /** Call it once the ack was asked for; it counts as written after the turn of the event loop that flushes it. */
  end(): void {
    setImmediate(() => setImmediate(() => this.#endOne()));
  }

  /** Resolves when none is open, or after `timeoutMs`. */
  async whenNone(timeoutMs: number): Promise<void> {
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#waiting.add(done);
    });
  }

  #endOne(): void {
    this.#open -= 1;
    if (this.#open > 0) return;
    for (const done of this.#waiting) done();
  }
}
