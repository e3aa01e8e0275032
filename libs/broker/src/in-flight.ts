import { LinkedSet } from '@warren/contracts';
import type { Message } from 'amqplib';
import type { PendingPublish } from './pending-publish.ts';

/** How much may be sent and not yet answered. */
export interface WindowLimits {
  readonly maxMessages: number;
  /** Passed by one message at most, since one that is larger by itself must be sent some time. */
  readonly maxBytes: number;
}

/** What was sent on the channel of the moment and is not answered yet, in the order of sending. */
export class InFlight {
  readonly #limits: WindowLimits;
  readonly #publishes = new LinkedSet<PendingPublish>();
  #bytes = 0;
  /** No deadline in here is earlier: most sweeps need not look at each publish. */
  #notBeforeMs = Number.POSITIVE_INFINITY;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#publishes.size;
  }

  get hasRoom(): boolean {
    return this.#publishes.size < this.#limits.maxMessages && this.#bytes < this.#limits.maxBytes;
  }

  has(pending: PendingPublish): boolean {
    return this.#publishes.has(pending);
  }

  add(pending: PendingPublish): void {
    this.#publishes.add(pending);
    this.#bytes += pending.bytes;
    if (pending.deadlineMs < this.#notBeforeMs) this.#notBeforeMs = pending.deadlineMs;
  }

  /** False when it was not there. */
  delete(pending: PendingPublish): boolean {
    if (!this.#publishes.delete(pending)) return false;
    this.#bytes -= pending.bytes;
    return true;
  }

  /** Removes and returns what is past its deadline. */
  takeOverdue(nowMs: number): PendingPublish[] {
    if (nowMs < this.#notBeforeMs) return [];
    const all = [...this.#publishes];
    const overdue = all.filter(({ deadlineMs }) => nowMs >= deadlineMs);
    for (const pending of overdue) this.delete(pending);
    const others = all.filter(({ deadlineMs }) => nowMs < deadlineMs);
    this.#notBeforeMs = others.reduce(
      (least, { deadlineMs }) => Math.min(least, deadlineMs),
      Number.POSITIVE_INFINITY,
    );
    return overdue;
  }

  /** Notes that the broker gave a message back. Of two with the same id and address, the elder comes first. */
  markReturned(message: Message): void {
    for (const pending of this.#publishes) {
      if (pending.returned !== undefined || !pending.isCopiedIn(message)) continue;
      pending.returned = (message.fields as { replyText?: string }).replyText ?? 'returned';
      return;
    }
  }

  /** All of them, returns forgotten: they are to be sent again, and judged anew. */
  forgetReturns(): PendingPublish[] {
    const all = [...this.#publishes];
    for (const pending of all) pending.returned = undefined;
    return all;
  }

  clear(): void {
    this.#publishes.clear();
    this.#bytes = 0;
    this.#notBeforeMs = Number.POSITIVE_INFINITY;
  }
}
