import type { WarrenError } from '@warren/contracts';
import type { AcceptJob } from './accept-job.ts';

/** What became of one of many jobs. */
export interface BulkOutcome {
  readonly index: number;
  /** Absent where there never was one. */
  readonly id?: string;
  /** Absent where the job was taken. */
  readonly error?: Error;
  /** As of one job. */
  readonly duplicate?: true;
  readonly replaced?: true;
}

/** Takes many jobs over. */
export interface AcceptBulk {
  readonly accept: AcceptJob;
  /** Jobs of one request under way at once. */
  readonly window: number;
  /** Why no job could be taken now, if that is known beforehand. */
  refusal(): WarrenError | undefined;
}

/** How one bulk request is served. */
export interface BulkRun {
  /** Returns a promise where its receiver is behind: nothing further is started meanwhile. */
  readonly report: (outcome: BulkOutcome) => void | Promise<void>;
  /** Whether the request as a whole can still be refused. */
  readonly canRefuse: () => boolean;
  /** Once aborted, what has not been published is answered with ShuttingDownError. */
  readonly stopping: AbortSignal;
}
