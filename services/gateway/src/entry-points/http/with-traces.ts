import { isTracing, traceRequest } from '@warren/telemetry';
import type { Handler } from './hot-route.ts';

/** Serves requests of the API within spans, where they are collected. Probes and scrapes are no part of any trace. */
export function withTraces(handler: Handler): Handler {
  return (request, response) => {
    if (!isTracing() || !request.url?.startsWith('/v1/')) handler(request, response);
    else traceRequest(request, response, () => handler(request, response));
  };
}
