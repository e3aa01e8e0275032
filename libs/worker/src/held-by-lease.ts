import type { Original } from '@warren/broker';
import type { Held } from './held.ts';
import type { LeasedMessage, LeaseKey, LeasesPort } from './leases-port.ts';
import { Loss } from './loss.ts';
import { Renewal } from './renewal.ts';
import { untilAnswered } from './until-answered.ts';
import { within } from './within.ts';

/** What all leases of one queue have in common. */
export interface LeaseTerms {
  readonly leases: LeasesPort;
  readonly leaseMs: number;
  /** The worker waits no longer for a store that does not answer, and renews nothing more. */
  readonly gaveUp: AbortSignal;
}

/** As an ack is held for the history. */
const MAX_TOLD_MS = 1_000;

/**
 * A long job whose run is over: its message is in the store, and is settled there. A crash between publishing a copy and
 * that makes a duplicate, never a loss: whoever finds the lease ended publishes what it holds.
 */
export class HeldByLease implements Held {
  readonly message: Original['message'];
  readonly body: Buffer;
  readonly receivedAtMs = Date.now();
  readonly #terms: LeaseTerms;
  readonly #key: LeaseKey;
  readonly #loss: Loss;
  readonly #renewal: Renewal;
  readonly #onGaveUp = () => this.#renewal.stop();

  /** @param lostBecause why it is not ours any more, if it is not */
  constructor(terms: LeaseTerms, key: LeaseKey, message: LeasedMessage, lostBecause?: string) {
    const { leases, leaseMs, gaveUp } = terms;
    this.#terms = terms;
    this.#key = key;
    this.#loss = new Loss(lostBecause);
    this.message = deliveredForm(message);
    this.body = message.body;
    this.#renewal = new Renewal({
      leaseMs,
      renew: () => leases.renew({ ...key, leaseMs }),
      onLost: (reason) => this.#loss.tell(reason),
    });
    if (lostBecause !== undefined || gaveUp.aborted) this.#renewal.stop();
    else this.#renewal.start();
    gaveUp.addEventListener('abort', this.#onGaveUp, { once: true });
  }

  get isLost(): boolean {
    return this.#loss.isLost;
  }

  onLost(listener: (reason: string) => void): () => void {
    return this.#loss.onLost(listener);
  }

  async ack(beforeAck?: Promise<void>, next?: 'moved'): Promise<boolean> {
    if (this.isLost) return this.reject();
    if (beforeAck) await within(MAX_TOLD_MS, beforeAck);
    const { leases, gaveUp } = this.#terms;
    const end = () => (next === 'moved' ? leases.moved(this.#key) : leases.ended(this.#key));
    const isOurs = await untilAnswered(end, this, gaveUp);
    this.reject();
    return isOurs ?? false;
  }

  /** The lease stays, and ends: then somebody tries again. */
  reject(): boolean {
    this.#renewal.stop();
    this.#terms.gaveUp.removeEventListener('abort', this.#onGaveUp);
    return false;
  }
}

/** As if the broker had delivered it for the first time. */
function deliveredForm({ body, exchange, routingKey, properties }: LeasedMessage) {
  return {
    content: body,
    fields: { consumerTag: '', deliveryTag: 0, redelivered: false, exchange, routingKey },
    properties: { ...NO_PROPERTIES, headers: undefined, ...properties },
  };
}

const NO_PROPERTIES = {
  contentType: undefined,
  contentEncoding: undefined,
  deliveryMode: undefined,
  priority: undefined,
  correlationId: undefined,
  replyTo: undefined,
  expiration: undefined,
  messageId: undefined,
  timestamp: undefined,
  type: undefined,
  userId: undefined,
  appId: undefined,
  clusterId: undefined,
};
