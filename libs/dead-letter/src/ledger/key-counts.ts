import { KEY_BYTES } from './letter-key.ts';

const WORDS = KEY_BYTES / 4;
const FIRST_ROOM = 1_024;

/** How many of each key: a table of numbers, 21 bytes a slot, so that a million keys take some 45 MB and no time to collect. */
export class KeyCounts {
  #room = FIRST_ROOM;
  #keys = new Uint32Array(FIRST_ROOM * WORDS);
  #counts = new Int32Array(FIRST_ROOM);
  #isUsed = new Uint8Array(FIRST_ROOM);
  #size = 0;

  /** Different keys. */
  get size(): number {
    return this.#size;
  }

  /** Adds to the count of a key, which begins at 0. */
  add(key: Buffer, count: number): void {
    if (this.#size * 2 >= this.#room) this.#grow();
    this.#addWords(wordsOf(key), count);
  }

  /** The count of a key; undefined for one that was never added. */
  of(key: Buffer): number | undefined {
    const slot = this.#slotOf(wordsOf(key));
    return this.#isUsed[slot] ? this.#counts[slot] : undefined;
  }

  #addWords(words: Uint32Array, count: number): void {
    const slot = this.#slotOf(words);
    if (!this.#isUsed[slot]) {
      this.#keys.set(words, slot * WORDS);
      this.#isUsed[slot] = 1;
      this.#size += 1;
    }
    this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
  }

  /** Keys are digests: their first bits are as good as any hash. */
  #slotOf(words: Uint32Array): number {
    let slot = (words[0] ?? 0) & (this.#room - 1);
    while (this.#isUsed[slot] && !this.#isAt(slot, words)) slot = (slot + 1) & (this.#room - 1);
    return slot;
  }

  #isAt(slot: number, words: Uint32Array): boolean {
    return words.every((word, at) => this.#keys[slot * WORDS + at] === word);
  }

  #grow(): void {
    const [keys, counts, isUsed] = [this.#keys, this.#counts, this.#isUsed];
    const before = this.#room;
    this.#room *= 2;
    this.#keys = new Uint32Array(this.#room * WORDS);
    this.#counts = new Int32Array(this.#room);
    this.#isUsed = new Uint8Array(this.#room);
    this.#size = 0;
    for (let slot = 0; slot < before; slot += 1) {
      if (!isUsed[slot]) continue;
      this.#addWords(keys.subarray(slot * WORDS, (slot + 1) * WORDS), counts[slot] ?? 0);
    }
  }
}

function wordsOf(key: Buffer): Uint32Array {
  const words = new Uint32Array(WORDS);
  for (let at = 0; at < WORDS; at += 1) words[at] = key.readUInt32LE(at * 4);
  return words;
}
