import type { Line } from './waiting-line.ts';

/** By what the items of a line are told apart. */
export interface ItemKeys {
  /** Those of different ones take turns. */
  readonly turn: string;
  /** Some may have to wait for a limit while others start; undefined for what never has to. */
  readonly limit: string | undefined;
  /** In the same way for how many of a key run at once. */
  readonly slots?: string | undefined;
}

/** What a line asks about its items. */
export interface KeyedLineOptions<Item> {
  keysOf(item: Item): ItemKeys;
  /** Whether one with these keys may start now. */
  mayStart(keys: ItemKeys): boolean;
  /** The place of an item among those of its keys: the lower, the earlier. */
  orderOf(item: Item): number;
}

/** Items whose keys are all the same: they wait together. Never empty. */
interface Group<Item> {
  readonly keys: ItemKeys;
  readonly items: Item[];
}

type Groups<Item> = Map<string, Group<Item>>;

/**
 * What waits for a slot, the keys taking turns: a key with many items holds up none with few. Those that may not start are
 * passed over. Within a key first come, first served.
 */
export class KeyedLine<Item> implements Line<Item> {
  readonly startsAtOnce = false;
  readonly #options: KeyedLineOptions<Item>;
  /** By turn, whose turn it is first; then by the other keys, in the same way. */
  readonly #turns = new Map<string, Groups<Item>>();
  #count = 0;

  constructor(options: KeyedLineOptions<Item>) {
    this.#options = options;
  }

  get count(): number {
    return this.#count;
  }

  get hasNext(): boolean {
    for (const groups of this.#turns.values()) {
      if (this.#startable(groups)) return true;
    }
    return false;
  }

  /** How many wait whose keys fit. */
  countWhere(test: (keys: ItemKeys) => boolean): number {
    let count = 0;
    for (const groups of this.#turns.values()) {
      for (const { keys, items } of groups.values()) {
        if (test(keys)) count += items.length;
      }
    }
    return count;
  }

  /** Also one that has been out: it goes back to its place. */
  add(item: Item): void {
    const keys = this.#options.keysOf(item);
    let groups = this.#turns.get(keys.turn);
    if (!groups) {
      groups = new Map();
      this.#turns.set(keys.turn, groups);
    }
    const id = idOf(keys);
    const group = groups.get(id);
    if (group) this.#insert(group.items, item);
    else groups.set(id, { keys, items: [item] });
    this.#count += 1;
  }

  next(): Item | undefined {
    for (const [turn, groups] of this.#turns) {
      const found = this.#startable(groups);
      if (!found) continue;
      const [id, group] = found;
      const item = group.items.shift();
      this.#count -= 1;
      // To the end, so that the others come before it again.
      groups.delete(id);
      if (group.items.length > 0) groups.set(id, group);
      this.#turns.delete(turn);
      if (groups.size > 0) this.#turns.set(turn, groups);
      return item;
    }
    return undefined;
  }

  remove(test: (item: Item) => boolean): Item[] {
    const removed: Item[] = [];
    for (const [turn, groups] of this.#turns) {
      for (const [id, { keys, items }] of groups) {
        const left = items.filter((item) => !test(item));
        if (left.length === items.length) continue;
        removed.push(...items.filter((item) => !left.includes(item)));
        if (left.length > 0) groups.set(id, { keys, items: left });
        else groups.delete(id);
      }
      if (groups.size === 0) this.#turns.delete(turn);
    }
    this.#count -= removed.length;
    return removed;
  }

  /** Takes out all of a limit's key but the first so many. */
  takeBeyond(limit: string, keep: number): Item[] {
    const removed: Item[] = [];
    let left = keep;
    for (const [turn, groups] of this.#turns) {
      for (const [id, { keys, items }] of groups) {
        if (keys.limit !== limit) continue;
        removed.push(...items.splice(left));
        left -= items.length;
        if (items.length === 0) groups.delete(id);
      }
      if (groups.size === 0) this.#turns.delete(turn);
    }
    this.#count -= removed.length;
    return removed;
  }

  #startable(groups: Groups<Item>): [string, Group<Item>] | undefined {
    for (const entry of groups) {
      if (this.#options.mayStart(entry[1].keys)) return entry;
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

function idOf({ limit, slots }: ItemKeys): string {
  if (slots === undefined) return limit === undefined ? '' : `limit ${limit}`;
  return JSON.stringify([limit, slots]);
}
