import { type ProxyTracerProvider, type Tracer, trace } from '@opentelemetry/api';

const NAME = 'warren';

/**
 * The tracer of whoever collects spans in this process; undefined where nobody does. It is asked for each job, so it makes
 * nothing: the API's own tracer would make a span that goes nowhere.
 */
export function activeTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>;
  return provider.getDelegateTracer?.(NAME);
}

/** Whether spans are collected in this process: what costs something is made only then. */
export function isTracing(): boolean {
  return activeTracer() !== undefined;
}
