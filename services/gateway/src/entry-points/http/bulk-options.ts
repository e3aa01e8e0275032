import type { AcceptBulk } from '../../domain/bulk-run.ts';

/** What the bulk route needs to know. */
export interface BulkRouteOptions {
  readonly acceptBulk: AcceptBulk;
  /** Largest line. */
  readonly bodyLimitBytes: number;
  /** Largest array. */
  readonly bulkLimitBytes: number;
  /** Aborted once the process is stopping. */
  readonly stopping: AbortSignal;
  /** Told of errors that callers learn nothing about. */
  readonly onUnforeseen: (error: unknown) => void;
}
