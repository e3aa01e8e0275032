/** Lets others wait for a condition that is looked at whenever something has happened. */
export class Bell {
  readonly #looking = new Set<() => void>();

  /** Something has happened. */
  ring(): void {
    for (const look of [...this.#looking]) look();
  }

  /**
   * Resolves as soon as `test` holds.
   * @throws an error that names `what`, after `withinMs`
   */
  async until(what: string, test: () => boolean, withinMs = 60_000): Promise<void> {
    if (test()) return;
    await new Promise<void>((resolve, reject) => {
      const end = (answer: () => void) => {
        clearTimeout(timer);
        this.#looking.delete(look);
        answer();
      };
      const look = () => {
        if (test()) end(resolve);
      };
      const timer = setTimeout(
        () => end(() => reject(new Error(`not within ${withinMs} ms: ${what}`))),
        withinMs,
      );
      this.#looking.add(look);
    });
  }
}
