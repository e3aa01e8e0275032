import type { OutgoingMessage } from '@warren/broker';
import { HEADERS } from '@warren/contracts';
import { isTracing, type TraceHeaders, traceCreate, traceSend } from '@warren/telemetry';

/** A message that is sent later, or by somebody else: the trace of whoever made it is what it carries. */
export function createdHere(message: OutgoingMessage): OutgoingMessage {
  if (!isTracing() || carriesTrace(message)) return message;
  return carrying(message, traceCreate(tracedMessage(message)));
}

/** Sends a message that is made here and now. */
export function sendTraced<Result>(
  message: OutgoingMessage,
  send: (message: OutgoingMessage) => Promise<Result>,
): Promise<Result> {
  if (!isTracing()) return send(message);
  return traceSend(tracedMessage(message), (carry) => send(carrying(message, carry)));
}

/** Sends a message that was made earlier; where that was no part of a trace, this is none either. */
export function sendKept<Result>(
  message: OutgoingMessage,
  send: (message: OutgoingMessage) => Promise<Result>,
): Promise<Result> {
  return carriesTrace(message) ? sendTraced(message, send) : send(message);
}

function carriesTrace({ properties }: OutgoingMessage): boolean {
  const headers = properties.headers as Readonly<Record<string, unknown>> | undefined;
  return headers !== undefined && Object.hasOwn(headers, HEADERS.traceparent);
}

function carrying(message: OutgoingMessage, carry: TraceHeaders | undefined): OutgoingMessage {
  if (!carry) return message;
  const { exchange, routingKey, body } = message;
  // Assigned, not spread: Node 20 takes 2 µs for each member that follows a spread object.
  const headers = Object.assign({}, message.properties.headers, carry);
  const properties = Object.assign({}, message.properties, { headers });
  return { exchange, routingKey, body, properties };
}

function tracedMessage({ exchange, routingKey, properties }: OutgoingMessage) {
  const { messageId: id, type: jobType, correlationId } = properties;
  const headers = properties.headers as Readonly<Record<string, unknown>> | undefined;
  return { exchange, routingKey, id, jobType, correlationId, headers };
}
