import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import {
  destinationOf,
  furtherAttributes,
  samplingAttributes,
  type TracedMessage,
} from './messaging-attributes.ts';
import { headersOfSpan, linksTo, spanOfHeaders, type TraceHeaders } from './span-context.ts';
import { failSpan } from './span-failure.ts';
import { activeTracer } from './tracer.ts';

type Headers = Readonly<Record<string, unknown>> | undefined;

/**
 * Tells that a message was made, to be sent later or by somebody else.
 * @returns the headers that it is to carry from now on; undefined while spans are not collected
 */
export function traceCreate(message: TracedMessage): TraceHeaders | undefined {
  const tracer = activeTracer();
  if (!tracer) return undefined;
  const span = tracer.startSpan(`create ${destinationOf(message)}`, {
    kind: SpanKind.PRODUCER,
    attributes: samplingAttributes(message, { name: 'create', type: 'create' }),
  });
  if (span.isRecording()) span.setAttributes(furtherAttributes(message)).end();
  return headersOfSpan(span.spanContext());
}

/**
 * Sends a message within a span that lasts until the broker has confirmed it. A message that carries no span yet is to carry
 * this one: `send` gets its headers. One that carries a span keeps it, and this one becomes a part of that trace.
 */
export function traceSend<Result>(
  message: TracedMessage & { readonly headers: Headers },
  send: (carry: TraceHeaders | undefined) => Promise<Result>,
): Promise<Result> {
  const tracer = activeTracer();
  if (!tracer) return send(undefined);
  const creation = spanOfHeaders(message.headers);
  const span = tracer.startSpan(
    `send ${destinationOf(message)}`,
    {
      kind: creation ? SpanKind.CLIENT : SpanKind.PRODUCER,
      attributes: samplingAttributes(message, { name: 'send', type: 'send' }),
      ...(creation && { links: linksTo([creation]) }),
    },
    creation ? trace.setSpanContext(ROOT_CONTEXT, creation) : context.active(),
  );
  const carry = creation ? undefined : headersOfSpan(span.spanContext());
  // What is not kept has no end either: for nine messages of ten, where a tenth is.
  if (!span.isRecording()) return send(carry);
  span.setAttributes(furtherAttributes(message));
  return send(carry)
    .catch((error: unknown) => {
      failSpan(span, error);
      throw error;
    })
    .finally(() => span.end());
}
