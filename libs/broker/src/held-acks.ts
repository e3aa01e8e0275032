/** An ack waits no longer than this for what it is held by. */
const HOLD_MS = 1_000;

interface Held<Item> {
  readonly promise: Promise<void>;
  readonly items: Item[];
  readonly ended: Promise<void>;
}

/** Acks that wait for a promise, a second at most. Those that wait for the same promise share one timer. */
export class HeldAcks<Item> {
  readonly #complete: (item: Item) => void;
  /** As many as messages of the history are under way. */
  #held: Held<Item>[] = [];

  constructor(complete: (item: Item) => void) {
    this.#complete = complete;
  }

  hold(promise: Promise<void>, item: Item): void {
    const held = this.#held.findLast((one) => one.promise === promise);
    if (held) held.items.push(item);
    else this.#held.push(this.#waitFor(promise, [item]));
  }

  /** Resolves when all that is held now is let go. */
  async whenLetGo(): Promise<void> {
    await Promise.all(this.#held.map(({ ended }) => ended));
  }

  #waitFor(promise: Promise<void>, items: Item[]): Held<Item> {
    const ended = new Promise<void>((resolve) => {
      const letGo = () => {
        clearTimeout(timer);
        // By its items: after a second the same promise may hold others.
        const others = this.#held.filter((one) => one.items !== items);
        if (others.length === this.#held.length) return;
        this.#held = others;
        for (const item of items) this.#complete(item);
        resolve();
      };
      const timer = setTimeout(letGo, HOLD_MS);
      promise.then(letGo, letGo);
    });
    return { promise, items, ended };
  }
}
