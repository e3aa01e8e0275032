import type { Drops, HistoryEvent } from '@warren/history';

/** How far a stream was read. */
export interface StreamOffset {
  readonly stream: string;
  /** Of the last message that was applied. */
  readonly offset: number;
  /** Apply only where this one is kept so far; null for none. Undefined: whatever is kept, and never back. */
  readonly after?: number | null | undefined;
}

/** A job whose last known event is the beginning of a run. */
export interface RunningJob {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  readonly run: string;
  readonly worker: string | undefined;
  /** By the worker's clock. */
  readonly startedAtMs: number | undefined;
}

/** A job that has not ended as far as is known, of which something may be missing. */
export interface DoubtfulJob {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  /** The run that its state is about; empty for none. */
  readonly run: string;
  /** Its claim says that it was done; `result` is JSON text. */
  readonly done: { readonly atMs: number; readonly result: string | undefined } | undefined;
}

/** Writes what history tells. */
export interface Projection {
  /**
   * Applies events and what is missing of them, and keeps the offset, in one transaction. Late, repeated and out-of-order events change nothing.
   * Without an offset for events that come from elsewhere than a stream.
   * @returns false when another offset is kept than `after`: nothing was applied. Somebody else reads the stream, the
   * projection was cleared, or an earlier call came through although it rejected.
   */
  apply(
    events: readonly HistoryEvent[],
    offset?: StreamOffset,
    drops?: readonly Drops[],
  ): Promise<boolean>;
  /** Undefined when the stream was never read. */
  offset(stream: string): Promise<number | undefined>;
  /** Drops everything that history can tell again. */
  clear(): Promise<void>;
  /** Jobs that run as far as is known, the oldest first. */
  running(options: { limit: number }): Promise<readonly RunningJob[]>;
  /** Jobs whose state may not be the last word, the oldest first. */
  doubtful(options: { limit: number }): Promise<readonly DoubtfulJob[]>;
  /** Rows of all its tables. Counts them: for people, not for loops. */
  countRows(): Promise<number>;
  /** Deletes ended jobs, but dead ones, that ended before this; at most `limit`. Returns how many. */
  prune(options: { endedBeforeMs: number; limit: number }): Promise<number>;
}
