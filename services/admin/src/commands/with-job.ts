import type { JobState } from '@warren/history';
import type { JobRecord, Store } from '@warren/store';
import { type ExitCode, UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import { visible } from '../text/visible.ts';

/** One job of several with the same id: an event has one for each subscriber. */
export interface OneJobOptions {
  readonly queue?: string | undefined;
  readonly json?: boolean | undefined;
  readonly showPii?: boolean | undefined;
  readonly follow?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** States that a job does not leave by itself. */
export const ENDED: readonly JobState[] = [
  'succeeded',
  'dead',
  'cancelled',
  'expired',
  'discarded',
];

/**
 * Finds a job in the store and does something with it.
 * @throws UsageError when several have the id; StoreUnavailableError
 */
export async function withJob(
  admin: Admin,
  id: string,
  { queue }: OneJobOptions,
  action: (job: JobRecord, store: Store) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withStore(admin, async (store) => {
    const found = await store.jobs.find(id);
    const [job, ...others] =
      queue === undefined ? found : found.filter((one) => one.queue === queue);
    if (others.length > 0) {
      const queues = found.map((one) => one.queue).join(', ');
      throw new UsageError(`several have this id: say --queue, one of ${visible(queues)}`);
    }
    if (job) return action(job, store);
    admin.shell.err(`warren: the store knows no job ${visible(id)}\n`);
    return 1;
  });
}
