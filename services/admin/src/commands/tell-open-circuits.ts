import { WarrenError } from '@warren/contracts';
import { withStreams } from '../data-access/control.ts';
import { watchWorkers } from '../data-access/watch-workers.ts';
import type { Admin } from '../open-session.ts';
import { openCircuitsText } from '../text/open-circuits-text.ts';

/**
 * Says which circuits of workers are open, before a replay is tried: its jobs may wait behind one, and a canary not see their
 * end. Looks for some seconds at most; where workers cannot be heard it says nothing, and the replay goes on.
 */
export async function tellOpenCircuits(admin: Admin): Promise<void> {
  try {
    const circuits = await withStreams(admin, (broker, names) =>
      watchWorkers(admin, { broker, names }, (watch) => watch.circuits()),
    );
    const text = openCircuitsText(circuits);
    if (text !== undefined) admin.shell.err(`warren: ${text}\n`);
  } catch (error) {
    if (!(error instanceof WarrenError)) throw error;
  }
}
