/** What can be in a `LinkedSet`; in one at a time. Its links are the set's own business. */
export interface Linked<Item> {
  before: Item | undefined;
  after: Item | undefined;
}

/**
 * A set in the order of insertion, for what comes and goes with every job.
 *
 * Not a `Set` or `Map`: as those fill up with deleted entries V8 gives them a new table, and the old one keeps a pointer to it and
 * what it held at that moment. Once one such table has got old, all later ones and what they held outlive every young collection,
 * until the next whole one. Of a worker's objects a third did so. What leaves this set points to nothing in it.
 */
export class LinkedSet<Item extends Linked<Item>> {
  #first: Item | undefined;
  #last: Item | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** What has been in it for longest. */
  get first(): Item | undefined {
    return this.#first;
  }

  has(item: Item): boolean {
    return item.before !== undefined || item.after !== undefined || this.#first === item;
  }

  /** Adds it at the end, unless it is there. */
  add(item: Item): void {
    if (this.has(item)) return;
    item.before = this.#last;
    if (this.#last) this.#last.after = item;
    else this.#first = item;
    this.#last = item;
    this.#size += 1;
  }

  /** False when it was not there. */
  delete(item: Item): boolean {
    if (!this.has(item)) return false;
    const { before, after } = item;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    item.before = undefined;
    item.after = undefined;
    this.#size -= 1;
    return true;
  }

  clear(): void {
    while (this.#first) this.delete(this.#first);
  }

  /** In the order of insertion: what is in it now, but for what is deleted before its turn. */
  *[Symbol.iterator](): Generator<Item, void, undefined> {
    const items: Item[] = [];
    for (let item = this.#first; item; item = item.after) items.push(item);
    for (const item of items) {
      if (this.has(item)) yield item;
    }
  }
}
