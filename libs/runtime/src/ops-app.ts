import type { Metrics } from '@warren/telemetry';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Readiness, Service } from './service.ts';

/** Services to be asked, by name. */
export type ProbedServices = Readonly<
  Record<string, Pick<Service, 'ready' | 'healthy' | 'breakers'>>
>;

export interface OpsAppOptions {
  readonly services: ProbedServices;
  readonly metrics: Pick<Metrics, 'expose'>;
  readonly healthy?: () => boolean;
}

/**
 * The routes of the ops server. `/healthz` 200 or 503: whether the process is worth keeping. `/readyz` 200 or
 * 503: whether every service can work, with each check. `/metrics`: the exposition text. `/v1/breakers`: the circuit
 * breakers of each service, in this process.
 */
export function createOpsApp({ services, metrics, healthy = () => true }: OpsAppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.get('/healthz', (_request, response) => {
    const alive =
      healthy() && Object.values(services).every((service) => service.healthy?.() ?? true);
    response.status(alive ? 200 : 503).json({ healthy: alive });
  });
  app.get('/readyz', (_request, response) => {
    const report = readinessOf(services);
    response.status(report.ready ? 200 : 503).json(report);
  });
  app.get('/metrics', async (request, response) => {
    const { text, contentType } = await metrics.expose(request.headers.accept);
    // Not `send`, which would rewrite the type.
    response.setHeader('Content-Type', contentType).end(text);
  });
  app.get('/v1/breakers', (_request, response) => {
    const entries = Object.entries(services).map(([name, one]) => [name, one.breakers?.() ?? []]);
    response.json({ services: Object.fromEntries(entries) });
  });
  app.use((_request, response) => {
    response.status(404).json({ error: 'try /healthz, /readyz, /metrics or /v1/breakers' });
  });
  app.use(answerError);
  return app;
}

interface ReadinessReport {
  readonly ready: boolean;
  readonly services: Readonly<Record<string, Readiness>>;
}

function readinessOf(services: ProbedServices): ReadinessReport {
  const entries = Object.entries(services).map(([name, service]) => [name, ask(service)] as const);
  return {
    ready: entries.every(([, { ready }]) => ready),
    services: Object.fromEntries(entries),
  };
}

/** One service that cannot answer must not hide what the others say. */
function ask(service: Pick<Service, 'ready'>): Readiness {
  try {
    return service.ready();
  } catch {
    return { ready: false, checks: { ready: 'failed to answer' } };
  }
}

/** Express's own handler would show the stack. Four parameters make it an error handler. */
const answerError: ErrorRequestHandler = (_error, _request, response, next) => {
  if (response.headersSent) return next();
  response.status(500).json({ error: 'internal error' });
};
