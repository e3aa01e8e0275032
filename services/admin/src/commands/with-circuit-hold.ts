import { WarrenError } from '@warren/contracts';
import { CircuitHold } from '@warren/dead-letter';
import { withStreams } from '../data-access/control.ts';
import { watchWorkers } from '../data-access/watch-workers.ts';
import type { Admin } from '../open-session.ts';
import { visible } from '../text/visible.ts';

/**
 * Does something that is told of the circuits of workers meanwhile. Where they cannot be heard it says so, and does it without.
 */
export async function withCircuitHold<T>(
  admin: Admin,
  action: (hold: CircuitHold | undefined) => Promise<T>,
): Promise<T> {
  let isBegun = false;
  try {
    return await withStreams(admin, (broker, names) =>
      watchWorkers(admin, { broker, names }, async (watch) => {
        const hold = new CircuitHold(names);
        await watch.follow((circuits) => hold.hear(circuits));
        isBegun = true;
        return action(hold);
      }),
    );
  } catch (error) {
    if (isBegun || !(error instanceof WarrenError)) throw error;
    admin.shell.err(`warren: circuit breakers are not heeded: ${visible(error.message)}\n`);
    return action(undefined);
  }
}
