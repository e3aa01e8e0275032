import { setTimeout as pause } from 'node:timers/promises';
import type { BrokerSession } from '@warren/broker';
import { QueueMissingError } from '@warren/contracts';
import type { Stop } from './take-tally.ts';

/** RabbitMQ 4.3 ends the consumers of a queue before it forgets the queue. */
const GONE_WITHIN_MS = 2_000;
const ASK_EVERY_MS = 50;

/**
 * A channel's end is told before that of its connection, and says nothing of its queue: what took it along, if that is known.
 * Never rejects.
 */
export async function whyLost(
  stop: Stop,
  session: Pick<BrokerSession, 'lost' | 'depth'>,
  queue: string,
): Promise<Stop> {
  const deadlineMs = Date.now() + GONE_WITHIN_MS;
  let problem = await problemOf(session, queue);
  while (problem === undefined && !session.lost.aborted && Date.now() < deadlineMs) {
    await pause(ASK_EVERY_MS);
    problem = await problemOf(session, queue);
  }
  if (session.lost.aborted) {
    return { reason: 'connection_lost', message: (session.lost.reason as Error).message };
  }
  if (!(problem instanceof QueueMissingError)) return stop;
  return { reason: 'queue_missing', message: problem.message };
}

async function problemOf(
  session: Pick<BrokerSession, 'lost' | 'depth'>,
  queue: string,
): Promise<unknown> {
  if (session.lost.aborted) return undefined;
  return session.depth(queue).then(
    () => undefined,
    (error: unknown) => error,
  );
}
