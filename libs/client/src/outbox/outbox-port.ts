/** A message that waits to be published, taken by one relay for a while. */
export interface LeasedMessage {
  /** Names the row, whatever the id of its message. */
  readonly id: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  /** AMQP's. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** How often it was taken, this time included. Unknown where the rows do not count. */
  readonly leases?: number | undefined;
}

/** Rows of messages that are committed, and published by whoever leases them. `Store.outbox` is one. */
export interface OutboxPort {
  /**
   * Takes rows that are due, oldest first, for `leaseMs`; another relay skips them meanwhile. Their bodies together have at most
   * `maxBytes`, or it is one row.
   */
  lease(options: {
    owner: string;
    limit: number;
    maxBytes: number;
    leaseMs: number;
  }): Promise<readonly LeasedMessage[]>;
  /** The broker has them. */
  done(ids: readonly string[]): Promise<void>;
  /** Due again after `delayMs`. */
  putBack(ids: readonly string[], options: { delayMs: number; problem: string }): Promise<void>;
  pending(): Promise<{ count: number; oldestAtMs?: number | undefined }>;
}

/** What runs SQL: a `Client`, `PoolClient` or `Pool` of pg, or anything with such a method. */
export interface SqlRunner {
  query(text: string, values: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
}
