/** What a run under faults adds up to. */
export interface LedgerReport {
  readonly accepted: number;
  readonly handled: number;
  /** Accepted and never handled: the number that must be 0. */
  readonly lost: readonly string[];
  /** Handler runs beyond the first, over all ids. */
  readonly duplicates: number;
  /** Handled although no publish of it resolved: its answer was unknown. */
  readonly unasked: number;
  /** The highest attempt that any handler saw; faults must not raise it. */
  readonly highestAttempt: number;
}

/** Keeps account of what was accepted and what was handled. */
export class Ledger {
  readonly #accepted = new Set<string>();
  readonly #handled = new Map<string, number>();
  #missing = new Set<string>();
  #highestAttempt = 0;
  readonly #onComplete = new Set<() => void>();

  /** A publish resolved: from now on the job may not be lost. */
  accept(id: string): void {
    this.#accepted.add(id);
    if (!this.#handled.has(id)) this.#missing.add(id);
  }

  /** A handler ran to its end. */
  handle(id: string, attempt: number): void {
    this.#handled.set(id, (this.#handled.get(id) ?? 0) + 1);
    this.#highestAttempt = Math.max(this.#highestAttempt, attempt);
    if (!this.#missing.delete(id) || this.#missing.size > 0) return;
    for (const complete of this.#onComplete) complete();
  }

  get missing(): number {
    return this.#missing.size;
  }

  /** Resolves when all accepted jobs were handled; rejects after `withinMs`, saying how many are missing. */
  async whenAllHandled(withinMs: number): Promise<void> {
    if (this.#missing.size === 0) return;
    await new Promise<void>((resolve, reject) => {
      const complete = () => {
        clearTimeout(timer);
        this.#onComplete.delete(complete);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#onComplete.delete(complete);
        reject(new Error(`${this.#missing.size} accepted jobs not handled in ${withinMs} ms`));
      }, withinMs);
      this.#onComplete.add(complete);
    });
  }

  report(): LedgerReport {
    const runs = [...this.#handled.values()].reduce((sum, count) => sum + count, 0);
    return {
      accepted: this.#accepted.size,
      handled: this.#handled.size,
      lost: [...this.#missing],
      duplicates: runs - this.#handled.size,
      unasked: [...this.#handled.keys()].filter((id) => !this.#accepted.has(id)).length,
      highestAttempt: this.#highestAttempt,
    };
  }
}
