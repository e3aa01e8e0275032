/** Whether something in hand was lost, and who is told of it. The first reason stands. */
export class Loss {
  #because: string | undefined;
  readonly #listeners = new Set<(reason: string) => void>();

  constructor(because?: string) {
    this.#because = because;
  }

  get isLost(): boolean {
    return this.#because !== undefined;
  }

  /** Calls `listener` once when it is lost, or now if it is. Returns how to stop that. */
  onLost(listener: (reason: string) => void): () => void {
    if (this.#because !== undefined) listener(this.#because);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(because: string): void {
    if (this.#because !== undefined) return;
    this.#because = because;
    for (const listener of this.#listeners) listener(because);
    this.#listeners.clear();
  }
}
