/** An ack waits no longer than this for what it is held by. */
const HOLD_MS = 1_000;

interface Held<Item> {
  readonly items: Item[];
  readonly ended: Promise<void>;
}

/** Acks that wait for a promise, a second at most. Those that wait for the same promise share one timer. */
export class HeldAcks<Item> {
  readonly #complete: (item: Item) => void;
  readonly #held = new Map<Promise<void>, Held<Item>>();

  constructor(complete: (item: Item) => void) {
    this.#complete = complete;
  }

  hold(promise: Promise<void>, item: Item): void {
    const held = this.#held.get(promise);
    if (held) held.items.push(item);
    else this.#held.set(promise, this.#waitFor(promise, [item]));
  }

  /** Resolves when all that is held now is let go. */
  async whenLetGo(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ ended }) => ended));
  }

  #waitFor(promise: Promise<void>, items: Item[]): Held<Item> {
    const ended = new Promise<void>((resolve) => {
      const letGo = () => {
        clearTimeout(timer);
        if (!this.#held.delete(promise)) return;
        for (const item of items) this.#complete(item);
        resolve();
      };
      const timer = setTimeout(letGo, HOLD_MS);
      promise.then(letGo, letGo);
    });
    return { items, ended };
  }
}
