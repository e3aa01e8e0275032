import {
  type ProxyTracerProvider,
  type SpanContext,
  type Tracer,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';

const NAME = 'warren';

/** What was asked for last: providers look for a tracer by a text that they put together, and each job asks several times. */
let known: { readonly provider: TracerProvider; readonly tracer: Tracer | undefined } | undefined;

/**
 * The tracer of whoever collects spans in this process; undefined where nobody does. It is asked for each job, so it makes
 * nothing: the API's own tracer would make a span that goes nowhere.
 */
export function activeTracer(): Tracer | undefined {
  const proxy = trace.getTracerProvider() as Partial<ProxyTracerProvider>;
  const provider = proxy.getDelegate?.();
  if (!provider) return undefined;
  if (known?.provider !== provider) {
    known = { provider, tracer: proxy.getDelegateTracer?.(NAME) };
  }
  return known.tracer;
}

/** What the sampler of a registered SDK decides by: where it is known, work is spared for what is not kept. */
export interface Sampling {
  /** What a caller did not keep is not kept here either. */
  readonly followsParent: boolean;
  /** The names and attributes of spans count. */
  readonly readsSpans: boolean;
}

/** Of an SDK that somebody else registered nothing is known: it is asked each time, with all there is. */
const UNKNOWN: Sampling = { followsParent: false, readsSpans: true };
let sampling = UNKNOWN;

/** Tells how the SDK that is registered decides; undefined: nobody knows. */
export function setSampling(known: Sampling | undefined): void {
  sampling = known ?? UNKNOWN;
}

/** How it is decided which spans are kept. */
export const currentSampling = (): Sampling => sampling;

/** Whether a span needs not be begun, since what it belongs to is not kept. */
export function isLeftOut(parent: SpanContext | undefined): parent is SpanContext {
  return sampling.followsParent && parent !== undefined && (parent.traceFlags & 1) === 0;
}

/** Whether spans are collected in this process: what costs something is made only then. */
export function isTracing(): boolean {
  return activeTracer() !== undefined;
}
