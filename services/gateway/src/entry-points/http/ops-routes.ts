import type { ProbedServices, Readiness } from '@warren/runtime';
import type { Metrics } from '@warren/telemetry';
import type { Response } from 'express';
import type { Route, RouteDoc } from './route.ts';
import { UNFORESEEN } from './route-errors.ts';

/** What the operational routes report. */
export interface OpsRoutesOptions {
  /** The gateway itself and whatever else runs in its process. */
  readonly services: () => ProbedServices;
  /** Absent where metrics have a port of their own. */
  readonly metrics?: Pick<Metrics, 'expose'>;
}

/** `/healthz`, `/readyz` and, where metrics have no port of their own, `/metrics`; alike to those of an ops server. */
export function opsRoutes({ services, metrics }: OpsRoutesOptions): Route[] {
  const routes: Route[] = [
    {
      method: 'get',
      path: '/healthz',
      handle: (_request, response) => sendHealth(response, services()),
      doc: probe('getHealth', 'Does the process work? Only a restart can help when it does not.', {
        200: report('It works.', 'Health'),
        503: report('It does not.', 'Health'),
      }),
    },
    {
      method: 'get',
      path: '/readyz',
      handle: (_request, response) => sendReadiness(response, services()),
      doc: probe('getReadiness', 'Can it accept jobs? What is wrong, by service and part.', {
        200: report('It can.', 'Readiness'),
        503: report('It cannot.', 'Readiness'),
      }),
    },
  ];
  return metrics ? [...routes, metricsRoute(metrics)] : routes;
}

function metricsRoute(metrics: Pick<Metrics, 'expose'>): Route {
  return {
    method: 'get',
    path: '/metrics',
    handle: async (request, response) => {
      const { text, contentType } = await metrics.expose(request.headers.accept);
      // Not `send`, which would rewrite the type.
      response.setHeader('Content-Type', contentType).end(text);
    },
    doc: probe('getMetrics', 'Metrics for Prometheus', {
      200: {
        description: 'In the exposition format.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
    }),
  };
}

function probe(operationId: string, summary: string, responses: RouteDoc['responses']): RouteDoc {
  return { operationId, tag: 'operation', summary, responses, errors: UNFORESEEN };
}

function report(description: string, schema: string) {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
  return { description, content };
}

function sendHealth(response: Response, services: ProbedServices): void {
  const healthy = Object.values(services).every((service) => service.healthy?.() ?? true);
  response.status(healthy ? 200 : 503).json({ healthy });
}

function sendReadiness(response: Response, services: ProbedServices): void {
  const reports: Record<string, Readiness> = {};
  for (const [name, service] of Object.entries(services)) reports[name] = service.ready();
  const ready = Object.values(reports).every((report) => report.ready);
  response.status(ready ? 200 : 503);
  response.set('Cache-Control', 'no-store').json({ ready, services: reports });
}
