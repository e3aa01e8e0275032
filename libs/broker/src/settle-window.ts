/** Acknowledges one delivery tag, or with `multiple` that tag and every lower one of the channel. */
export type Acknowledge = (tag: number, multiple: boolean) => void;

const OUTSTANDING = 0;
const TO_ACK = 1;
const DONE = 2;

/**
 * Which deliveries of one channel are settled, and how to say so with few acks: one multiple-ack up to the lowest
 * unsettled tag. Pure: it holds no channel and no clock. Tags of a channel are 1, 2, 3, …; a multiple-ack counts for the
 * whole channel (measured on 3.10 and 4.3), so a channel must serve one queue only.
 */
export class SettleWindow {
  /** States by tag, in a ring that doubles when the window grows. */
  #states = new Uint8Array(64);
  #settledAtMs = new Float64Array(64);
  #lowest = 1;
  #next = 1;
  /** No tag below it is to be acked, so that one delivery that takes long does not make every flush search behind it. */
  #lowestToAck = 1;
  #toAck = 0;
  #outstanding = 0;

  /** Deliveries that nobody settled yet. */
  get outstanding(): number {
    return this.#outstanding;
  }

  /** Settled as done, and the broker not yet told. */
  get unacked(): number {
    return this.#toAck;
  }

  /** Deliveries that count against prefetch at the broker, as far as this window told it. */
  get held(): number {
    return this.#outstanding + this.#toAck;
  }

  /** The tag of the newest delivery; 0 before the first. */
  get lastTag(): number {
    return this.#next - 1;
  }

  /** As `held`, of the deliveries up to a tag. */
  heldUpTo(tag: number): number {
    let held = 0;
    for (let one = this.#lowest; one < this.#next && one <= tag; one += 1) {
      if (this.#states[this.#slot(one)] !== DONE) held += 1;
    }
    return held;
  }

  /** A delivery came in. Tags must come in order. */
  add(tag: number): void {
    // Equal but for a broker that skips tags; skipped ones are taken for done.
    while (this.#next < tag) this.#set(this.#next++, DONE);
    this.#set(tag, OUTSTANDING);
    this.#next = tag + 1;
    this.#outstanding += 1;
  }

  /** The delivery is to be acknowledged. False when it was settled before. */
  complete(tag: number, nowMs: number): boolean {
    if (!this.#isOutstanding(tag)) return false;
    this.#set(tag, TO_ACK);
    this.#settledAtMs[this.#slot(tag)] = nowMs;
    this.#lowestToAck = Math.min(this.#lowestToAck, tag);
    this.#outstanding -= 1;
    this.#toAck += 1;
    return true;
  }

  /** The delivery was settled by other means (a nack of its own). False when it was settled before. */
  drop(tag: number): boolean {
    if (!this.#isOutstanding(tag)) return false;
    this.#set(tag, DONE);
    this.#outstanding -= 1;
    return true;
  }

  /** Acknowledges the run of settled deliveries below the lowest unsettled one. */
  flushRun(acknowledge: Acknowledge): void {
    let last = 0;
    let count = 0;
    while (this.#lowest < this.#next) {
      const state = this.#states[this.#slot(this.#lowest)];
      if (state === OUTSTANDING) break;
      if (state === TO_ACK) {
        last = this.#lowest;
        count += 1;
      }
      this.#lowest += 1;
    }
    if (count === 0) return;
    this.#toAck -= count;
    acknowledge(last, count > 1);
  }

  /** Acknowledges, one by one, what lies above an unsettled delivery since `settledBeforeMs` or longer. */
  flushGaps(acknowledge: Acknowledge, settledBeforeMs: number): void {
    let lowestLeft = this.#next;
    const first = Math.max(this.#lowest, this.#lowestToAck);
    for (let tag = first; tag < this.#next && this.#toAck > 0; tag += 1) {
      const slot = this.#slot(tag);
      if (this.#states[slot] !== TO_ACK) continue;
      if (this.#settledAt(slot) > settledBeforeMs) {
        lowestLeft = Math.min(lowestLeft, tag);
        continue;
      }
      this.#states[slot] = DONE;
      this.#toAck -= 1;
      acknowledge(tag, false);
    }
    this.#lowestToAck = lowestLeft;
  }

  #isOutstanding(tag: number): boolean {
    return tag >= this.#lowest && tag < this.#next && this.#states[this.#slot(tag)] === OUTSTANDING;
  }

  #slot(tag: number): number {
    return tag & (this.#states.length - 1);
  }

  #settledAt(slot: number): number {
    return this.#settledAtMs[slot] ?? 0;
  }

  #set(tag: number, state: number): void {
    while (tag - this.#lowest >= this.#states.length) this.#grow();
    this.#states[this.#slot(tag)] = state;
  }

  #grow(): void {
    const [states, times] = [this.#states, this.#settledAtMs];
    const mask = states.length - 1;
    this.#states = new Uint8Array(states.length * 2);
    this.#settledAtMs = new Float64Array(states.length * 2);
    for (let tag = this.#lowest; tag < this.#next; tag += 1) {
      this.#states[this.#slot(tag)] = states[tag & mask] ?? DONE;
      this.#settledAtMs[this.#slot(tag)] = times[tag & mask] ?? 0;
    }
  }
}
