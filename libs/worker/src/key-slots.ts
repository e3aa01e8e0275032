import { MAX_PUT_OFF_MS } from '@warren/limiter';

interface KeySlot {
  running: number;
  /** About how long a run takes. */
  usualMs: number;
  /** Up to when jobs were put off, by `performance.now()`. */
  putOffToMs: number;
}

/** Keys that are remembered although nothing of theirs runs. */
const MAX_KEYS = 10_000;
/** Of a key of which nothing has ended yet. */
const FIRST_GUESS_MS = 1_000;
/** Weight of the newest run: a few are enough to know that a key has become slow. */
const WEIGHT = 0.3;
/** Shorter delays only make more moves. */
const SHORTEST_PUT_OFF_MS = 1_000;

/** How many jobs of each key run at once in this process: of all lanes of a job type together. */
export class KeySlots {
  readonly #max: number;
  readonly #now: () => number;
  readonly #keys = new Map<string, KeySlot>();

  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = max;
    this.#now = now;
  }

  /** Keys that are remembered. */
  get size(): number {
    return this.#keys.size;
  }

  mayStart(key: string): boolean {
    return (this.#keys.get(key)?.running ?? 0) < this.#max;
  }

  /** One of this key starts. @returns what to call when it has left its slot, with whether it was done */
  begin(key: string): (isDone: boolean) => void {
    const slot = this.#of(key);
    const startedMs = this.#now();
    slot.running += 1;
    return (isDone) => {
      slot.running -= 1;
      if (isDone) slot.usualMs += WEIGHT * (this.#now() - startedMs - slot.usualMs);
    };
  }

  /** For how long to put off one more of this key, while so many wait in hand: until it may be its turn, and no longer. */
  putOffMs(key: string, waiting: number): number {
    const slot = this.#of(key);
    const nowMs = this.#now();
    const intervalMs = slot.usualMs / this.#max;
    const turnMs = Math.max(slot.putOffToMs, nowMs + waiting * intervalMs);
    slot.putOffToMs = Math.min(turnMs + intervalMs, nowMs + MAX_PUT_OFF_MS);
    return Math.min(MAX_PUT_OFF_MS, Math.max(SHORTEST_PUT_OFF_MS, turnMs - nowMs));
  }

  #of(key: string): KeySlot {
    const known = this.#keys.get(key);
    if (known) return known;
    if (this.#keys.size >= MAX_KEYS) this.#forgetOne();
    const slot = { running: 0, usualMs: FIRST_GUESS_MS, putOffToMs: 0 };
    this.#keys.set(key, slot);
    return slot;
  }

  /** The eldest that nothing runs of: as many as run are few. */
  #forgetOne(): void {
    for (const [key, { running }] of this.#keys) {
      if (running > 0) continue;
      this.#keys.delete(key);
      return;
    }
  }
}
