import type { Delivery } from '@warren/broker';
import type { CircuitHold, HeldBy } from './circuit-hold.ts';
import type { TakeWait } from './take-run.ts';

/** What the letters of one replay wait for, told once for each circuit that holds it. */
export class ReplayWait implements TakeWait {
  readonly #hold: CircuitHold;
  readonly #queueOf: (delivery: Delivery) => string | undefined;
  readonly #onWaiting: ((heldBy: HeldBy | undefined) => void) | undefined;
  #told: HeldBy | undefined;

  /** @param queueOf where a letter goes; one that goes nowhere waits for nothing */
  constructor(
    hold: CircuitHold,
    queueOf: (delivery: Delivery) => string | undefined,
    onWaiting?: (heldBy: HeldBy | undefined) => void,
  ) {
    this.#hold = hold;
    this.#queueOf = queueOf;
    this.#onWaiting = onWaiting;
  }

  heldBy(delivery: Delivery): HeldBy | undefined {
    const heldBy = this.#hold.isHolding ? this.#find(delivery) : undefined;
    if (heldBy?.breaker !== this.#told?.breaker || heldBy?.type !== this.#told?.type) {
      this.#told = heldBy;
      this.#onWaiting?.(heldBy);
    }
    return heldBy;
  }

  onNews(listener: () => void): () => void {
    return this.#hold.onNews(listener);
  }

  #find(delivery: Delivery): HeldBy | undefined {
    const queue = this.#queueOf(delivery);
    return queue === undefined ? undefined : this.#hold.heldBy(queue);
  }
}
