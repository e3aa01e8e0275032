import { WarrenError } from '@warren/contracts';
import type { HeldBack } from '../domain/held-back.ts';
import { UsageError } from '../exit-codes.ts';
import type { Admin } from '../open-session.ts';
import { readControl, withStreams } from './control.ts';
import { watchWorkers } from './watch-workers.ts';

/** Why workers may take no jobs, as they and operators tell. Where that cannot be heard it says why; takes some seconds at most. */
export async function heldBack(admin: Admin): Promise<HeldBack> {
  const told = { paused: [], circuits: [] };
  const quiet = { ...admin, shell: { ...admin.shell, err: () => undefined } };
  try {
    return await withStreams(admin, async (broker, names) => {
      const { pausedQueues } = await readControl(broker, names);
      const heard = await watchWorkers(quiet, { broker, names }, async (watch) => ({
        circuits: await watch.circuitsSoon(),
        unheard: watch.problem,
      }));
      return { paused: pausedQueues, ...heard };
    });
  } catch (error) {
    if (!(error instanceof WarrenError || error instanceof UsageError)) throw error;
    return { ...told, unheard: error.message };
  }
}
