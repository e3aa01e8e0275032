import { context, SpanKind, trace } from '@opentelemetry/api';
import { failSpan } from './span-failure.ts';
import { activeTracer } from './tracer.ts';

/** Does some work that nobody asked for over a wire, such as a command, within a span. */
export async function traceWork<Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const tracer = activeTracer();
  if (!tracer) return work();
  const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL });
  try {
    return await context.with(trace.setSpan(context.active(), span), work);
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}
