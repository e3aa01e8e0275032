import { setTimeout as pause } from 'node:timers/promises';
import { type BrokerSession, isDeletedUnder } from '@warren/broker';
import { QueueMissingError } from '@warren/contracts';
import type { Stop } from './take-tally.ts';

/** RabbitMQ 4.3 ends the consumers of a queue some moments before it forgets the queue. */
const GONE_WITHIN_MS = 2_000;
const ASK_EVERY_MS = 50;

/** What was consumed. */
interface LostQueue {
  readonly queue: string;
  /** The broker ended the consumer: the queue is likely to be gone soon. */
  readonly isCancelled?: boolean;
}

/**
 * A channel's end is told before that of its connection, and says nothing of its queue: what took it along, if that is known.
 * Never rejects.
 */
export async function whyLost(
  stop: Stop,
  session: Pick<BrokerSession, 'lost' | 'depth'>,
  { queue, isCancelled = false }: LostQueue,
): Promise<Stop> {
  const deadlineMs = Date.now() + (isCancelled ? GONE_WITHIN_MS : 0);
  let problem = await problemOf(session, queue);
  while (problem === undefined && !session.lost.aborted && Date.now() < deadlineMs) {
    await pause(ASK_EVERY_MS);
    problem = await problemOf(session, queue);
  }
  if (session.lost.aborted) {
    const { message } = session.lost.reason as Error;
    if (!isDeletedUnder(message, queue)) return { reason: 'connection_lost', message };
    problem = new QueueMissingError(queue);
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
