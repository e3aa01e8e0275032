import { context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { furtherAttributes, type TracedMessage } from './messaging-attributes.ts';
import { startMessagingSpan } from './messaging-span.ts';
import { headersOfSpan, linksTo, spanOfHeaders, type TraceHeaders } from './span-context.ts';
import { failSpan } from './span-failure.ts';
import { activeTracer, isLeftOut } from './tracer.ts';

const CREATE = { name: 'create', type: 'create', kind: SpanKind.PRODUCER } as const;
const SEND = { name: 'send', type: 'send', kind: SpanKind.PRODUCER } as const;

type Headers = Readonly<Record<string, unknown>> | undefined;

/**
 * Tells that a message was made, to be sent later or by somebody else.
 * @returns the headers that it is to carry from now on; undefined while spans are not collected
 */
export function traceCreate(message: TracedMessage): TraceHeaders | undefined {
  const tracer = activeTracer();
  if (!tracer) return undefined;
  const here = context.active();
  const parent = trace.getSpanContext(here);
  if (isLeftOut(parent)) return headersOfSpan(parent);
  const span = startMessagingSpan(tracer, message, CREATE, here);
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
  const here = context.active();
  const parent = creation ?? trace.getSpanContext(here);
  // That of which nothing is kept is carried on as it is, and nothing else is made.
  if (isLeftOut(parent)) return send(creation ? undefined : headersOfSpan(parent));
  const span = creation
    ? startMessagingSpan(
        tracer,
        message,
        { ...SEND, kind: SpanKind.CLIENT, links: linksTo([creation]) },
        trace.setSpanContext(ROOT_CONTEXT, creation),
      )
    : startMessagingSpan(tracer, message, SEND, here);
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
