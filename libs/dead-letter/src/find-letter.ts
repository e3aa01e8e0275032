import type { BrokerSession } from '@warren/broker';
import { type DeadLetter, readDeadLetter } from './dead-letter.ts';

/**
 * The oldest dead letter of a job, looked for in the whole queue; undefined when there is none. Takes none, as `inspect`.
 * @throws QueueMissingError, or an error when the connection is lost
 */
export async function findLetter(
  session: BrokerSession,
  queue: string,
  id: string,
): Promise<DeadLetter | undefined> {
  let found: DeadLetter | undefined;
  let position = 0;
  await session.browse(queue, {
    limit: Number.MAX_SAFE_INTEGER,
    onMessage(message) {
      position += 1;
      if (message.properties.messageId !== id) return true;
      found = readDeadLetter(message, position);
      return false;
    },
  });
  return found;
}
