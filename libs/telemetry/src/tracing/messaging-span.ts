import type { Attributes, Context, Link, Span, SpanKind, Tracer } from '@opentelemetry/api';
import {
  destinationOf,
  type OperationType,
  samplingAttributes,
  type TracedMessage,
} from './messaging-attributes.ts';
import { currentSampling } from './tracer.ts';

/** What is done with a message. */
export interface Operation {
  readonly name: string;
  readonly type: OperationType;
  readonly kind: SpanKind;
  readonly links?: readonly Link[];
  /** Beside those of the message, what a sampler may decide by. */
  readonly attributes?: Attributes;
}

/** Begins the span of an operation. Its name and attributes are made first only where the sampler may look at them: most spans are not kept. */
export function startMessagingSpan(
  tracer: Tracer,
  message: TracedMessage,
  operation: Operation,
  parent: Context,
): Span {
  const { name, kind } = operation;
  const links = operation.links && { links: [...operation.links] };
  if (currentSampling().readsSpans) {
    const attributes = attributesOf(message, operation);
    return tracer.startSpan(nameOf(message, name), { kind, attributes, ...links }, parent);
  }
  const span = tracer.startSpan(name, { kind, ...links }, parent);
  if (!span.isRecording()) return span;
  return span.updateName(nameOf(message, name)).setAttributes(attributesOf(message, operation));
}

const nameOf = (message: TracedMessage, operation: string): string =>
  `${operation} ${destinationOf(message)}`;

const attributesOf = (message: TracedMessage, operation: Operation): Attributes =>
  Object.assign(samplingAttributes(message, operation), operation.attributes);
