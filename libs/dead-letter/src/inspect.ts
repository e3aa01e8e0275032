import { type BrokerSession, MAX_BROWSE } from '@warren/broker';
import { type DeadLetter, readDeadLetter } from './dead-letter.ts';
import { isWhole, type Selection, selector } from './selection.ts';

/** What to look at. */
export interface InspectOptions {
  readonly session: BrokerSession;
  /** Full name of a queue of dead letters, or of the one of unroutable messages. */
  readonly queue: string;
  /** Dead letters at most, from 1 to 65,535: memory is bounded by it. */
  readonly limit: number;
  /** Which are meant. Default: all. Others are looked at and left out, as many as there are: that is a scan of the queue. */
  readonly selection?: Selection | undefined;
  /** Positions up to this one are left out. Default 0: none. */
  readonly after?: number | undefined;
  /** Bodies at most, in bytes together. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/** What was seen. */
export interface Inspection {
  /** Dead letters that were ready in the queue. */
  readonly depth: number;
  /** From the oldest. */
  readonly letters: readonly DeadLetter[];
  /** Position after which the next page begins; undefined where nothing more is known to follow. */
  readonly next: number | undefined;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Looks at dead letters without taking any: they are back in the queue, in their order, when it resolves. While it looks,
 * nobody else sees those; two that look at the same time may change the order.
 * @throws QueueMissingError, or an error when the connection is lost (nothing is lost then)
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
  const { session, queue, selection, after = 0, maxBytes = MAX_BYTES } = options;
  const limit = Math.min(options.limit, MAX_BROWSE);
  const isMeant = selector(selection);
  const letters: DeadLetter[] = [];
  let position = 0;
  let bytes = 0;
  const hasRoom = () => letters.length < limit && bytes < maxBytes;
  const depth = await session.browse(queue, {
    limit: isWhole(selection) ? after + limit : Number.MAX_SAFE_INTEGER,
    onMessage(message) {
      position += 1;
      if (position <= after) return true;
      const letter = readDeadLetter(message, position);
      if (!isMeant(letter)) return true;
      letters.push(letter);
      bytes += message.content.length;
      return hasRoom();
    },
  });
  return { depth, letters, next: hasRoom() || position >= depth ? undefined : position };
}
