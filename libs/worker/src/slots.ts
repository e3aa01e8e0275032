import { type Line, WaitingLine } from './waiting-line.ts';

/** Where the deliveries of one queue wait until they may start. */
export interface StartsWork<Item> {
  /** How many wait. */
  readonly waiting: number;
  /** How many may run at once. */
  readonly limit: number;
  /** How many slots are taken: more than the limit, where that was lowered. */
  readonly busy: number;
  /** Changes that. What runs beyond it ends as it would. */
  resize(limit: number): void;
  /** Starts it, now or as soon as there is a slot for it. */
  add(item: Item): void;
  /** Looks again for what may start now. */
  fill(): void;
  /** Takes out what has not started and fits `test`. */
  remove(test: (item: Item) => boolean): Item[];
}

/**
 * Starts waiting work as slots become free, first come first served. `start` resolves when its slot is free again; it
 * must not reject.
 */
export class Slots<Item> implements StartsWork<Item> {
  #limit: number;
  readonly #start: (item: Item) => Promise<void>;
  readonly #line: Line<Item>;
  #busy = 0;

  constructor(
    limit: number,
    start: (item: Item) => Promise<void>,
    line: Line<Item> = new WaitingLine<Item>(),
  ) {
    this.#limit = limit;
    this.#start = start;
    this.#line = line;
  }

  get waiting(): number {
    return this.#line.count;
  }

  get limit(): number {
    return this.#limit;
  }

  get busy(): number {
    return this.#busy;
  }

  resize(limit: number): void {
    this.#limit = limit;
    this.fill();
  }

  add(item: Item): void {
    if (this.#line.startsAtOnce && this.#busy < this.#limit) {
      this.#run(item);
      return;
    }
    this.#line.add(item);
    this.fill();
  }

  fill(): void {
    while (this.#busy < this.#limit) {
      const next = this.#line.next();
      if (next === undefined) return;
      this.#run(next);
    }
  }

  remove(test: (item: Item) => boolean): Item[] {
    return this.#line.remove(test);
  }

  #run(item: Item): void {
    this.#busy += 1;
    void this.#start(item).then(() => {
      this.#busy -= 1;
      this.fill();
    });
  }
}
