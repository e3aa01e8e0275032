import type { OutgoingMessage } from '@warren/broker';
import { HEADERS } from '@warren/contracts';
import {
  isTracing,
  type TracedMessage,
  type TraceHeaders,
  traceCreate,
  traceSend,
} from '@warren/telemetry';

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
  const { headers } = message.properties as { headers?: Readonly<Record<string, unknown>> };
  return traceSend({ ...tracedMessage(message), headers }, (carry) =>
    send(carrying(message, carry)),
  );
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
  const { properties } = message;
  const headers = { ...(properties.headers as Record<string, unknown> | undefined), ...carry };
  return { ...message, properties: { ...properties, headers } };
}

function tracedMessage({ exchange, routingKey, properties }: OutgoingMessage): TracedMessage {
  const { messageId: id, type: jobType, correlationId } = properties;
  return { exchange, routingKey, id, jobType, correlationId };
}
