import { PublishBufferFullError } from '@warren/contracts';
import type { PendingPublish } from './pending-publish.ts';

/** How much may wait in memory to be sent. */
export interface BufferLimits {
  readonly maxMessages: number;
  readonly maxBytes: number;
}

/** What is done with a publish that there is no room for: refused, or kept for one who asks for room before the next. */
export type WhenFull = 'refuse' | 'keep';

/** What waits to be sent, oldest first, bounded by count and bytes. */
export class PublishQueue {
  readonly #limits: BufferLimits;
  #items: (PendingPublish | undefined)[] = [];
  #head = 0;
  #bytes = 0;

  constructor(limits: BufferLimits) {
    this.#limits = limits;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether more is taken, if it is small enough; one more always is where nothing waits. */
  get hasRoom(): boolean {
    const { maxMessages, maxBytes } = this.#limits;
    return this.length === 0 || (this.length < maxMessages && this.#bytes < maxBytes);
  }

  /** @throws PublishBufferFullError */
  push(pending: PendingPublish, whenFull: WhenFull = 'refuse'): void {
    const { maxMessages, maxBytes } = this.#limits;
    const isFull = this.length >= maxMessages || this.#bytes + pending.bytes > maxBytes;
    if (isFull && whenFull === 'refuse') {
      throw new PublishBufferFullError(this.length, this.#bytes);
    }
    this.#items.push(pending);
    this.#bytes += pending.bytes;
  }

  shift(): PendingPublish | undefined {
    const pending = this.#items[this.#head];
    if (!pending) return undefined;
    // Bodies may be large: what has left must not be kept until the array is compacted.
    this.#items[this.#head] = undefined;
    this.#head += 1;
    this.#bytes -= pending.bytes;
    if (this.#head > 1_024 && this.#head * 2 > this.#items.length) this.#compact();
    return pending;
  }

  /** Puts publishes that were already accepted back to the front, in their order; they are never refused. */
  unshift(earlier: readonly PendingPublish[]): void {
    this.#items = [...earlier, ...this.#items.slice(this.#head)];
    this.#head = 0;
    for (const pending of earlier) this.#bytes += pending.bytes;
  }

  /** Removes and returns all that `test` picks. */
  extract(test: (pending: PendingPublish) => boolean): PendingPublish[] {
    const picked: PendingPublish[] = [];
    if (this.length === 0) return picked;
    const kept: PendingPublish[] = [];
    for (const pending of this.#items) {
      if (!pending) continue;
      if (test(pending)) picked.push(pending);
      else kept.push(pending);
    }
    if (picked.length === 0) return picked;
    this.#items = kept;
    this.#head = 0;
    for (const pending of picked) this.#bytes -= pending.bytes;
    return picked;
  }

  #compact(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
