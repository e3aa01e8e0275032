import type { Jobs } from '@warren/client';
import type { UniqueOutbox } from '@warren/store';

/** Asks the workers to end a job, of this generation or earlier. Resolves when the request is stored. */
export type CancelJob = (job: {
  readonly id: string;
  readonly queue: string;
  readonly generation: number;
}) => Promise<void>;

export function cancelByStream(
  jobs: Pick<Jobs, 'cancel'>,
  outbox?: Pick<UniqueOutbox, 'endReplacing'>,
): CancelJob {
  return async ({ id, queue, generation }) => {
    // First: what a later request asks for must not become a part of a job that is not run.
    await outbox?.endReplacing(id);
    await jobs.cancel(id, { queue, generation, by: 'gateway' });
  };
}
