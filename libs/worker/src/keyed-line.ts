import type { Line } from './waiting-line.ts';

/** By what the items of a line are told apart. */
export interface ItemKeys {
  /** Those of different ones take turns. */
  readonly turn: string;
  /** Some may have to wait while others start; undefined for what never has to. */
  readonly limit: string | undefined;
}

/** What a line asks about its items. */
export interface KeyedLineOptions<Item> {
  keysOf(item: Item): ItemKeys;
  /** Whether one of this key may start now. */
  mayStart(limit: string): boolean;
  /** The place of an item among those of its keys: the lower, the earlier. */
  orderOf(item: Item): number;
}

/**
 * What waits for a slot, the keys taking turns: a key with many items holds up none with few. Those that may not start are
 * passed over. Within a key first come, first served.
 */
export class KeyedLine<Item> implements Line<Item> {
  readonly startsAtOnce = false;
  readonly #options: KeyedLineOptions<Item>;
  /** By turn, whose turn it is first; then by limit, in the same way. No list is empty. */
  readonly #turns = new Map<string, Map<string | undefined, Item[]>>();
  #count = 0;

  constructor(options: KeyedLineOptions<Item>) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  get hasNext(): boolean {
    for (const lists of this.#turns.values()) {
      if (this.#startable(lists)) return true;
    }
    return false;
  }

  /** How many of a key wait. */
  countOf(limit: string): number {
    let count = 0;
    for (const lists of this.#turns.values()) count += lists.get(limit)?.length ?? 0;
    return count;
  }

  /** How many wait of all the keys that fit. */
  countWhere(test: (limit: string) => boolean): number {
    let count = 0;
    for (const lists of this.#turns.values()) {
      for (const [limit, list] of lists) {
        if (limit !== undefined && test(limit)) count += list.length;
      }
    }
    return count;
  }

  /** Also one that has been out: it goes back to its place. */
  add(item: Item): void {
    const { turn, limit } = this.#options.keysOf(item);
    let lists = this.#turns.get(turn);
    if (!lists) {
      lists = new Map();
      this.#turns.set(turn, lists);
    }
    const list = lists.get(limit);
    if (list) this.#insert(list, item);
    else lists.set(limit, [item]);
    this.#count += 1;
  }

  next(): Item | undefined {
    for (const [turn, lists] of this.#turns) {
      const found = this.#startable(lists);
      if (!found) continue;
      const [limit, list] = found;
      const item = list.shift();
      this.#count -= 1;
      // To the end, so that the others come before it again.
      lists.delete(limit);
      if (list.length > 0) lists.set(limit, list);
      this.#turns.delete(turn);
      if (lists.size > 0) this.#turns.set(turn, lists);
      return item;
    }
    return undefined;
  }

  remove(test: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [turn, lists] of this.#turns) {
      for (const [limit, list] of lists) {
        const left = list.filter((item) => !test(item));
        if (left.length === list.length) continue;
        removed.push(...list.filter((item) => !left.includes(item)));
        if (left.length > 0) lists.set(limit, left);
        else lists.delete(limit);
      }
      if (lists.size === 0) this.#turns.delete(turn);
    }
    this.#count -= removed.length;
    return removed;
  }

  /** Takes out all of a key but the first so many. */
  takeBeyond(limit: string, keep: number): Item[] {
    const removed: Item[] = [];
    let left = keep;
    for (const [turn, lists] of this.#turns) {
      const list = lists.get(limit);
      if (!list) continue;
      removed.push(...list.splice(left));
      left -= list.length;
      if (list.length === 0) lists.delete(limit);
      if (lists.size === 0) this.#turns.delete(turn);
    }
    this.#count -= removed.length;
    return removed;
  }

  #startable(
    lists: ReadonlyMap<string | undefined, Item[]>,
  ): [string | undefined, Item[]] | undefined {
    for (const entry of lists) {
      if (entry[0] === undefined || this.#options.mayStart(entry[0])) return entry;
    }
    return undefined;
  }

  #insert(list: Item[], item: Item): void {
    const order = this.#options.orderOf(item);
    const last = list.at(-1);
    // As nearly all do.
    if (last === undefined || this.#options.orderOf(last) <= order) {
      list.push(item);
      return;
    }
    const at = list.findIndex((one) => this.#options.orderOf(one) > order);
    list.splice(at, 0, item);
  }
}
