/** Forgets what is older than so many milliseconds, by the database's clock; at most `limit`. Each returns how many. */
export interface Retention {
  /** Those whose job is not known to be under way, nor to have ended since then: afterwards the same key makes a new job. */
  idempotencyKeys(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** Those that ended, or were given up, before then: afterwards the same job would run again, with tokens from 1. */
  claims(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** Those whose time is over. */
  uniqueKeys(options: { limit: number }): Promise<number>;
  /** Keys of limits that have been as if they had never been used since then. */
  limits(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** Checkpoints of long jobs that did not come back from the broker since then. */
  checkpoints(options: { olderThanMs: number; limit: number }): Promise<number>;
}
