import type { JobRecord } from '@warren/store';

/** What became of a dead job that was to be run again. */
export type Retried =
  | { readonly kind: 'replayed'; readonly generation: number }
  /** Its dead letter is not where it should be, or has nowhere to go. */
  | { readonly kind: 'left'; readonly problem: string };

/**
 * Moves the dead letter of a job back to its queue.
 * @param by who asks
 * @throws LockHeldError, QueueMissingError, or what the broker failed with; it is still a dead letter then
 */
export type RetryJob = (job: JobRecord, by: string) => Promise<Retried>;
