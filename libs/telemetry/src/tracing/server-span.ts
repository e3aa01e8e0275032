import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceparent } from './span-context.ts';
import { activeTracer } from './tracer.ts';

/** A request, as far as spans tell of it: neither headers nor query nor body. */
export interface TracedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Its answer. */
export interface TracedResponse {
  readonly statusCode: number;
  readonly writableFinished: boolean;
  once(event: 'close', listener: () => void): unknown;
}

const MAX_PATH_CHARS = 200;

/**
 * Serves a request within a span that goes on with the caller's trace and lasts until the answer is sent. Where there is a
 * span already, of an instrumentation of HTTP, that one is enough.
 */
export function traceRequest(
  request: TracedRequest,
  response: TracedResponse,
  serve: () => void,
): void {
  const tracer = activeTracer();
  if (!tracer || trace.getActiveSpan()) {
    serve();
    return;
  }
  const { method = '_OTHER', url = '/', headers } = request;
  const caller = parseTraceparent(headers['traceparent'], headers['tracestate']);
  const active = context.active();
  const parent = caller ? trace.setSpanContext(active, caller) : active;
  const attributes = {
    'http.request.method': method,
    'url.path': url.split('?', 1)[0]?.slice(0, MAX_PATH_CHARS) ?? '/',
    'url.scheme': 'http',
  };
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  response.once('close', () => {
    const { statusCode, writableFinished } = response;
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) {
      span.setAttribute('error.type', String(statusCode));
      span.setStatus({ code: SpanStatusCode.ERROR });
    }
    if (!writableFinished) span.setAttribute('jobs.answer_cut', true);
    span.end();
  });
  context.with(trace.setSpan(parent, span), serve);
}

/** Tells the span of the request that is being served which route it took, such as `/v1/jobs/:id`. */
export function nameRequest(method: string, route: string): void {
  const span = activeTracer() && trace.getActiveSpan();
  if (!span) return;
  span.updateName(`${method} ${route}`);
  span.setAttribute('http.route', route);
}
