/** What a statement may be given. Rows go as one JSON text: both drivers then send the same. */
export type SqlValue = string | number | boolean | null;

/** Runs statements. */
export interface Sql {
  /**
   * `bigint` comes as number, `bytea` as Buffer.
   * @throws StoreUnavailableError when the database does not answer
   */
  query<Row>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
}

/** A lock that is held until it is released or its connection is lost. */
export interface HeldLock {
  /** Aborted when the lock was lost. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** A database, whichever driver speaks to it. */
export interface Database extends Sql {
  readonly kind: 'postgres' | 'embedded';
  /** Commits when `work` resolves, else rolls back. `work` is repeated when another transaction was in its way. */
  transaction<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Several statements without parameters. */
  script(text: string, sql?: Sql): Promise<void>;
  /** Undefined when somebody else holds it. */
  tryLock(name: string): Promise<HeldLock | undefined>;
  close(): Promise<void>;
}
