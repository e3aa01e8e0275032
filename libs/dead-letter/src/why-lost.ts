import type { BrokerSession } from '@warren/broker';
import { QueueMissingError } from '@warren/contracts';
import type { Stop } from './take-tally.ts';

/**
 * A channel's end is told before that of its connection, and says nothing of its queue: what took it along, if that is known.
 * Never rejects.
 */
export async function whyLost(
  stop: Stop,
  session: Pick<BrokerSession, 'lost' | 'depth'>,
  queue: string,
): Promise<Stop> {
  const problem = session.lost.aborted
    ? undefined
    : await session.depth(queue).then(
        () => undefined,
        (error: unknown) => error,
      );
  if (session.lost.aborted) {
    return { reason: 'connection_lost', message: (session.lost.reason as Error).message };
  }
  if (!(problem instanceof QueueMissingError)) return stop;
  return { reason: 'queue_missing', message: problem.message };
}
