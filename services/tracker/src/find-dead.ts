import { BrokerSession, type ConnectionSettings } from '@warren/broker';
import { DEAD_REASONS, type DeadReason, QueueMissingError } from '@warren/contracts';
import { type DeadLetter, inspect, letterView, refuseWhileMigrated } from '@warren/dead-letter';
import type { HistoryEvent } from '@warren/history';
import type { DoubtfulJob } from '@warren/store';
import type { Names } from '@warren/topology';

const MAX_LETTERS = 20_000;

/**
 * Looks whether jobs are among the dead letters of their queue, the oldest 20,000 of them, on a connection of its own.
 * @returns what to tell of those that are
 * @throws BrokerUnavailableError, LockHeldError while the queue is migrated, or an error when the connection is lost
 */
export async function findDead(
  { connection, names }: { readonly connection: ConnectionSettings; readonly names: Names },
  queue: string,
  jobs: readonly DoubtfulJob[],
): Promise<HistoryEvent[]> {
  const session = await BrokerSession.open({ connection, service: 'tracker' });
  try {
    const dead = { session, queue: names.deadQueue(queue), limit: MAX_LETTERS };
    await refuseWhileMigrated(session, names, dead.queue);
    const { letters } = await inspect(dead);
    const byId = new Map(letters.map((letter) => [letter.id, letter]));
    const events = await Promise.all(jobs.map((job) => deadEvent(job, byId.get(job.id))));
    return events.flat();
  } catch (error) {
    if (error instanceof QueueMissingError) return [];
    throw error;
  } finally {
    await session.close();
  }
}

/** A letter of an earlier generation was replayed since, and says nothing of this one. */
async function deadEvent(
  { id, queue, type, run, generation }: DoubtfulJob,
  letter: DeadLetter | undefined,
): Promise<HistoryEvent[]> {
  if (!letter || letter.generation < generation) return [];
  const { attempt, reason, deadAtMs = Date.now() } = letter;
  // No schema is known here: of an error that its worker did not redact, no value of the payload may be told.
  const { error } = await letterView(letter, undefined, false);
  const isSameGeneration = letter.generation === generation;
  return [
    {
      kind: 'dead',
      id,
      queue,
      type,
      attempt,
      generation: letter.generation,
      atMs: deadAtMs,
      run: isSameGeneration ? run : '',
      reason: reasonOf(reason),
      error: error === undefined ? undefined : summaryOf(error),
    },
  ];
}

/** The header begins with the attempt, class and message of the last failure. */
function summaryOf(text: string) {
  const [first = ''] = text.split('\n', 1);
  const [, name = 'Error', message = first] = /^attempt \d+: (\w+): (.*)$/.exec(first) ?? [];
  return { name, message, stack: text };
}

/** What the broker moved by itself has a word of its own. */
function reasonOf(reason: string | undefined): DeadReason {
  if (reason !== undefined && isDeadReason(reason)) return reason;
  return reason === 'delivery_limit' ? 'poison' : 'unencodable';
}

function isDeadReason(reason: string): reason is DeadReason {
  return Object.hasOwn(DEAD_REASONS, reason);
}
