import { PayloadTooLargeError } from '@warren/contracts';
import type { ChannelError } from './channel-supervisor.ts';
import type { Publishable } from './outgoing-message.ts';

const TOO_LARGE = /message size \d+ is larger than configured max size (\d+)/;
/** As in a 404 for a missing exchange and a 403 for one that the user may not write to. */
const NAMED_EXCHANGE = /exchange '([^']*)'/;

/**
 * What an error that closed the channel says about one message that was in flight on it: it did not cause the error, it
 * may have, or it did, with the error to answer it with. The broker names no message, but a size or an exchange.
 */
export function blameOf(
  { exchange, routingKey, body, properties }: Publishable,
  error: ChannelError,
): 'innocent' | 'suspect' | PayloadTooLargeError {
  const limit = Number(TOO_LARGE.exec(error.message)?.[1]);
  if (body.length > limit) {
    return new PayloadTooLargeError(properties.type ?? routingKey, body.length, limit);
  }
  if (limit >= 0) return 'innocent';
  const named = NAMED_EXCHANGE.exec(error.message)?.[1];
  return named === undefined || named === exchange ? 'suspect' : 'innocent';
}
