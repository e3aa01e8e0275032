/**
 * What amqplib says when nobody told it why: the socket ended, an own heartbeat found nothing, the peer reset it. Behind
 * all three are the same few causes.
 */
const UNEXPLAINED = /^(Unexpected close|Heartbeat timeout|(read|write) (ECONNRESET|EPIPE))$/;

const CAUSES =
  'network fault, broker killed, or this process was too busy to send heartbeats in time (does a handler block the event loop?)';

/** One sentence that a person can act on, for a connection that was lost. */
export function explainConnectionLoss(error: Error | undefined): string {
  if (!error?.message) return 'the connection was closed';
  const { message } = error;
  return UNEXPLAINED.test(message) ? `the connection broke (${message}): ${CAUSES}` : message;
}
