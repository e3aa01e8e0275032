import type { Attributes } from '@opentelemetry/api';

/** The kinds of operations of OpenTelemetry's messaging conventions. */
export type OperationType = 'create' | 'send' | 'process' | 'settle';

/** A message, as far as spans tell of it. Never its payload, nor its other headers. */
export interface TracedMessage {
  readonly exchange: string;
  readonly routingKey: string;
  /** The queue that delivered it; undefined on the way to the broker. */
  readonly queue?: string | undefined;
  readonly deliveryTag?: number | undefined;
  readonly id: string | undefined;
  readonly jobType: string | undefined;
  readonly correlationId: string | undefined;
}

/** RabbitMQ's destination: where a message goes, and at its consumer also where it came from. */
export function destinationOf({
  exchange,
  routingKey,
  queue,
}: Pick<TracedMessage, 'exchange' | 'routingKey' | 'queue'>): string {
  const parts = [exchange, routingKey, queue === routingKey ? '' : queue];
  return parts.filter(Boolean).join(':') || 'amq.default';
}

/**
 * What OpenTelemetry's messaging conventions (RabbitMQ's form of them) ask for, as far as a sampler may decide by it. Most spans
 * are not kept where traces are sampled: for those no more is made.
 */
export function samplingAttributes(
  message: TracedMessage,
  operation: { readonly name: string; readonly type: OperationType },
): Attributes {
  return {
    'messaging.system': 'rabbitmq',
    'messaging.operation.name': operation.name,
    'messaging.operation.type': operation.type,
    'messaging.destination.name': destinationOf(message),
    ...(message.jobType !== undefined && { 'jobs.type': message.jobType }),
  };
}

/** The rest of it: for spans that are kept. */
export function furtherAttributes(message: TracedMessage): Attributes {
  const { routingKey, deliveryTag, id, correlationId } = message;
  return {
    ...(routingKey !== '' && { 'messaging.rabbitmq.destination.routing_key': routingKey }),
    ...(deliveryTag && { 'messaging.rabbitmq.message.delivery_tag': deliveryTag }),
    ...(id !== undefined && { 'messaging.message.id': id }),
    ...(correlationId !== undefined && { 'messaging.message.conversation_id': correlationId }),
  };
}
