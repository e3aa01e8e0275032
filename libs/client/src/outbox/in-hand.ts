import type { LeasedMessage } from './outbox-port.ts';

/** The rows that a relay has in hand, bounded by their number and by the bytes of their bodies. */
export class InHand {
  readonly #maxRows: number;
  readonly #maxBytes: number;
  readonly #bytes = new Map<string, number>();
  #sum = 0;

  constructor(bounds: { readonly maxInHand: number; readonly maxBytesInHand: number }) {
    this.#maxRows = bounds.maxInHand;
    this.#maxBytes = bounds.maxBytesInHand;
  }

  /** How many more there may be, and how many bytes of them. */
  get room(): { readonly limit: number; readonly maxBytes: number } {
    return { limit: this.#maxRows - this.#bytes.size, maxBytes: this.#maxBytes - this.#sum };
  }

  /** The part of the bounds that is used, whichever is nearer: above 1 for what came on top of a full hand. */
  get fullness(): number {
    return Math.max(this.#bytes.size / this.#maxRows, this.#sum / this.#maxBytes);
  }

  ids(): string[] {
    return [...this.#bytes.keys()];
  }

  /** False for one that is in hand already. */
  add({ id, body }: LeasedMessage): boolean {
    if (this.#bytes.has(id)) return false;
    this.#bytes.set(id, body.length);
    this.#sum += body.length;
    return true;
  }

  remove(ids: readonly string[]): void {
    for (const id of ids) {
      this.#sum -= this.#bytes.get(id) ?? 0;
      this.#bytes.delete(id);
    }
  }
}
