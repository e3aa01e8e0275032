import {
  BrokerUnavailableError,
  HeaderInvalidError,
  PublishRefusedError,
  PublishTimeoutError,
  UnroutableError,
} from '@warren/contracts';
import type { ConfirmChannel } from 'amqplib';
import type { SupervisedConnection } from './connection.ts';
import type { PendingPublish } from './pending-publish.ts';

/** Did amqplib refuse to write because the channel is closed or closing? Then nothing is wrong with the message. */
export function isChannelClosed(error: unknown): boolean {
  return error instanceof Error && error.name === 'IllegalOperationError';
}

/** For whatever else was thrown before anything was written. */
export function toHeaderError(error: unknown): HeaderInvalidError {
  if (error instanceof HeaderInvalidError) return error;
  const problem = error instanceof Error ? error.message : String(error);
  return new HeaderInvalidError('headers', `cannot be encoded: ${problem}`);
}

/** For a publish that was sent, or could have been, and was not answered by its deadline. */
export function timeoutOf(
  { message, timeoutMs }: PendingPublish,
  { blockedReason }: SupervisedConnection,
): PublishTimeoutError {
  const where = blockedReason
    ? `the broker blocks publishers (${blockedReason})`
    : `exchange ${message.exchange}, key ${message.routingKey}`;
  return new PublishTimeoutError(timeoutMs, where);
}

/** For a publish that found no channel. */
export function unavailable({ current, problem }: SupervisedConnection): BrokerUnavailableError {
  return new BrokerUnavailableError(current ? 'the channel is being opened' : problem);
}

/**
 * For a publish whose exchange is missing, or that no queue took, also after the topology was declared again if it was;
 * `repairProblem` says what was wrong then.
 */
export function unroutable(
  { message }: PendingPublish,
  reason: string,
  repairProblem: string | undefined,
): UnroutableError {
  const problem = repairProblem ? `; declaring it again failed: ${repairProblem}` : '';
  return new UnroutableError(message.exchange, message.routingKey, reason + problem);
}

/** For a publish that the broker answered with a nack. */
export function refused({ message }: PendingPublish): PublishRefusedError {
  return new PublishRefusedError(message.exchange, message.routingKey);
}

/** At most what the other properties, and what frames them, add to the headers. */
const OTHER_PROPERTIES_BYTES = 2_000;

/**
 * Properties and headers travel in one frame, which amqplib does not check: the broker would close the connection over a
 * larger one (501, measured on 3.10 and 4.3), at every repetition again, and with it all that is beside it.
 * @throws HeaderInvalidError
 */
export function refuseOversizeHeaders(channel: ConfirmChannel, headerBytes: number): void {
  const { frameMax } = channel.connection as unknown as { frameMax: number };
  if (headerBytes + OTHER_PROPERTIES_BYTES <= frameMax) return;
  throw new HeaderInvalidError(
    'headers',
    `their ${headerBytes} bytes do not fit into a frame, of ${frameMax} bytes on this connection`,
  );
}
