import type { HistoryEvent } from '@warren/history';

/** A message that waits to be published. Fields are AMQP's. */
export interface OutboxMessage {
  readonly id: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** One that a relay has taken. */
export interface LeasedOutboxMessage extends OutboxMessage {
  /** How often it was taken, this time included. */
  readonly leases: number;
}

/** A job to take over: published from the outbox later. */
export interface Acceptance {
  readonly message: OutboxMessage;
  readonly event: Extract<HistoryEvent, { kind: 'accepted' }>;
  readonly idempotency?: { readonly key: string; readonly payloadHash: string } | undefined;
}

/** What became of an acceptance. */
export type Accepted =
  | { readonly kind: 'accepted'; readonly id: string }
  /** The same key and payload came before: this is the first job. */
  | { readonly kind: 'duplicate'; readonly id: string }
  /** The same key came before with another payload. */
  | { readonly kind: 'conflict'; readonly id: string }
  /** The outbox holds as much as it may. */
  | { readonly kind: 'full'; readonly pending: number };

/** How to accept jobs. */
export interface AcceptOptions {
  /** Leave the messages to the caller, who publishes them at once, for so long: relays skip them. Default 0. */
  readonly leaseMs?: number | undefined;
}

/** Messages that are committed, to be published by whoever leases them. */
export interface Outbox {
  /**
   * Commits jobs, each visible to readers from then on; many at once are one statement. Answers are in the order of
   * the jobs. A job whose id waits already is accepted again without being sent twice.
   */
  accept(jobs: readonly Acceptance[], options?: AcceptOptions): Promise<readonly Accepted[]>;
  /**
   * Takes messages that are due, oldest first, for `leaseMs`; another relay skips them meanwhile. Their bodies together have at
   * most `maxBytes`, default 64 MiB, or it is one message.
   */
  lease(options: {
    owner: string;
    limit: number;
    maxBytes?: number | undefined;
    leaseMs: number;
  }): Promise<readonly LeasedOutboxMessage[]>;
  /** The broker has them. */
  done(ids: readonly string[]): Promise<void>;
  /** Not published, or not known: due again after `delayMs`. */
  putBack(ids: readonly string[], options: { delayMs: number; problem: string }): Promise<void>;
  /** Those that wait on purpose do not count before their time. */
  pending(): Promise<{ count: number; oldestAtMs?: number | undefined }>;
}
