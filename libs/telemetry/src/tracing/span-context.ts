import {
  createTraceState,
  isSpanContextValid,
  type Link,
  type SpanContext,
  trace,
} from '@opentelemetry/api';
import { HEADERS, isTraceparent } from '@warren/contracts';

/** The headers by which a trace goes on, as W3C's Trace Context has them. */
export interface TraceHeaders {
  readonly traceparent: string;
  /** What the vendor of the traces adds; absent where he adds nothing. */
  readonly tracestate?: string;
}

/** The name of the header beside `traceparent`; not Warren's, so it travels as a publisher's own does. */
export const TRACESTATE = 'tracestate';
const MAX_TRACESTATE_CHARS = 512;

/** Where they are in a `traceparent`, of whatever version. */
const [TRACE_ID, TRACE_ID_END, SPAN_ID, SPAN_ID_END, FLAGS, FLAGS_END] = [3, 35, 36, 52, 53, 55];

/** The span that a `traceparent` names; undefined for what is none. */
export function parseTraceparent(value: unknown, state?: unknown): SpanContext | undefined {
  if (!isTraceparent(value)) return undefined;
  const isState = typeof state === 'string' && state !== '' && state.length <= MAX_TRACESTATE_CHARS;
  return {
    traceId: value.slice(TRACE_ID, TRACE_ID_END),
    spanId: value.slice(SPAN_ID, SPAN_ID_END),
    traceFlags: Number.parseInt(value.slice(FLAGS, FLAGS_END), 16) & 1,
    isRemote: true,
    ...(isState && { traceState: createTraceState(state) }),
  };
}

/** A span as a `traceparent` names it. */
export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1) === 1 ? '01' : '00'}`;
}

/** What a message carries of the span; undefined where there is no real one. */
export function headersOfSpan(context: SpanContext): TraceHeaders | undefined {
  if (!isSpanContextValid(context)) return undefined;
  const tracestate = context.traceState?.serialize();
  return {
    traceparent: formatTraceparent(context),
    ...(tracestate && tracestate.length <= MAX_TRACESTATE_CHARS && { tracestate }),
  };
}

/** The span in which a message was made, by its headers. */
export function spanOfHeaders(
  headers: Readonly<Record<string, unknown>> | undefined,
): SpanContext | undefined {
  if (!headers || !Object.hasOwn(headers, HEADERS.traceparent)) return undefined;
  const state = Object.hasOwn(headers, TRACESTATE) ? headers[TRACESTATE] : undefined;
  return parseTraceparent(headers[HEADERS.traceparent], state);
}

/** Links to spans, each once. */
export function linksTo(spans: readonly (SpanContext | undefined)[]): Link[] {
  const bySpan = new Map(spans.flatMap((context) => (context ? [[context.spanId, context]] : [])));
  return [...bySpan.values()].map((context) => ({ context }));
}

/** Of the span that is at work here, for log lines; undefined where there is none. */
export function activeSpanIds():
  | { readonly trace_id: string; readonly span_id: string }
  | undefined {
  const context = trace.getActiveSpan()?.spanContext();
  if (!context || !isSpanContextValid(context)) return undefined;
  return { trace_id: context.traceId, span_id: context.spanId };
}
