/** What waits for a slot, in some order. */
export interface Line<Item> {
  readonly count: number;
  /** Whether an item may start as soon as there is a slot for it, without being asked for. */
  readonly startsAtOnce: boolean;
  /** Whether there is one to be taken out: some may have to wait. */
  readonly hasNext: boolean;
  add(item: Item): void;
  /** Takes out whose turn it is. */
  next(): Item | undefined;
  /** Takes out what fits `test`. */
  remove(test: (item: Item) => boolean): Item[];
}

/** What waits for a slot, first come first served. */
export class WaitingLine<Item> implements Line<Item> {
  readonly startsAtOnce = true;
  #items: Item[] = [];
  #head = 0;

  get count(): number {
    return this.#items.length - this.#head;
  }

  get hasNext(): boolean {
    return this.count > 0;
  }

  add(item: Item): void {
    this.#items.push(item);
  }

  /** Takes out the first. */
  next(): Item | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head += 1;
    // There may always be something that waits: what has started is let go as soon as it is the greater part.
    if (this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Takes out what fits `test`. */
  remove(test: (item: Item) => boolean): Item[] {
    const waiting = this.#items.slice(this.#head);
    const removed = waiting.filter(test);
    if (removed.length === 0) return removed;
    this.#items = waiting.filter((item) => !removed.includes(item));
    this.#head = 0;
    return removed;
  }
}
