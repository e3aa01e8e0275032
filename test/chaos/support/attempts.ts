/** Counts attempts beyond the first. No handler fails here, so whatever is counted was spent by a fault. */
export class Attempts {
  readonly #highest = new Map<string, number>();

  see(id: string, attempt: number): void {
    if (attempt > (this.#highest.get(id) ?? 1)) this.#highest.set(id, attempt);
  }

  get spent(): number {
    return [...this.#highest.values()].reduce((sum, attempt) => sum + attempt - 1, 0);
  }
}
