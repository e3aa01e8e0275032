import { context, SpanKind } from '@opentelemetry/api';
import { destinationOf, furtherAttributes, samplingAttributes } from './messaging-attributes.ts';
import type { TracedDelivery } from './process-span.ts';
import { formatTraceparent, linksTo, parseTraceparent } from './span-context.ts';
import { failSpan } from './span-failure.ts';
import { activeTracer } from './tracer.ts';

/** Where a replayed message goes. */
export interface ReplayTarget {
  readonly exchange: string;
  readonly routingKey: string;
}

/**
 * Replays a dead letter within a span of whoever asked for it, linked to the job's own trace and to its last attempt.
 * @param publish gets what the copy's header is to say of this span; undefined while spans are not collected
 */
export async function traceReplay<Result>(
  letter: TracedDelivery,
  to: ReplayTarget,
  publish: (span: string | undefined) => Promise<Result>,
): Promise<Result> {
  const tracer = activeTracer();
  if (!tracer) return publish(undefined);
  const message = { ...letter, ...to, queue: undefined, deliveryTag: undefined };
  const creation = parseTraceparent(letter.traceparent, letter.tracestate);
  const span = tracer.startSpan(
    `replay ${destinationOf(message)}`,
    {
      kind: creation ? SpanKind.CLIENT : SpanKind.PRODUCER,
      attributes: samplingAttributes(message, { name: 'replay', type: 'send' }),
      links: linksTo([creation, parseTraceparent(letter.previousSpan)]),
    },
    context.active(),
  );
  span.setAttribute('jobs.generation', letter.generation + 1);
  span.setAttributes(furtherAttributes(message));
  try {
    return await publish(formatTraceparent(span.spanContext()));
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}
