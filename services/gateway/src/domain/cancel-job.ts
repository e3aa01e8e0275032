import type { Jobs } from '@warren/client';
import type { UniqueOutbox } from '@warren/store';
import type { WriteDown } from './write-down.ts';

/**
 * Asks the workers to end a job, of this generation or earlier. Resolves when the request is stored.
 * @param by who asks
 */
export type CancelJob = (
  job: {
    readonly id: string;
    readonly queue: string;
    readonly generation: number;
  },
  by: string,
) => Promise<void>;

/** What there is where there is a store. */
interface CancelStore {
  readonly outbox: Pick<UniqueOutbox, 'endReplacing'>;
  readonly writeDown: WriteDown;
}

export function cancelByStream(
  jobs: Pick<Jobs, 'cancel'>,
  store?: CancelStore | undefined,
): CancelJob {
  return async ({ id, queue, generation }, by) => {
    await store?.writeDown(by, 'job.cancel', { queue, id });
    // First: what a later request asks for must not become a part of a job that is not run.
    await store?.outbox.endReplacing(id);
    await jobs.cancel(id, { queue, generation, by });
  };
}
