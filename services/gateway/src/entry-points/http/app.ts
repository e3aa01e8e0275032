import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger, Metrics } from '@warren/telemetry';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { logWhenAnswered, type RequestNotes } from './access-log.ts';
import { createGuard, type Guard } from './auth/guard.ts';
import { type Handler, HOT_ROUTE, withHotRoute } from './hot-route.ts';
import { HttpError } from './http-error.ts';
import { mountRoutes } from './mount-routes.ts';
import { problemOf } from './problem-of.ts';
import { RequestTimes } from './request-times.ts';
import type { Route } from './route.ts';
import { allRoutes, type RoutesOptions } from './routes.ts';
import { type SecurityHeaders, securityHeaders, setHeaders } from './security-headers.ts';
import { sendProblem } from './send-problem.ts';
import { type Admit, admitUntil } from './while-stopping.ts';
import { withTraces } from './with-traces.ts';

/** Everything the HTTP application is made of. */
export interface AppOptions extends Omit<RoutesOptions, 'onUnforeseen'> {
  readonly logger: Logger;
  readonly requestDurations: Metrics['jobs_http_request_duration_seconds'];
}

/** The gateway's HTTP application. */
export interface App {
  /** Serves one request; it listens nowhere by itself. */
  readonly handle: Handler;
  /** Serves all but the hottest route, and that one where its path is spelt in another way. */
  readonly express: Express;
}

export function createApp(options: AppOptions): App {
  const { logger, stopping } = options;
  const onUnforeseen = (error: unknown): void => logger.error({ err: error }, 'request failed');
  const routes = allRoutes({ ...options, onUnforeseen });
  const admit = admitUntil(stopping);
  const guard = createGuard(options);
  const headers = securityHeaders();
  const onError = errorAnswers(onUnforeseen);
  const times = new RequestTimes(options.requestDurations);
  const app = byExpress(routes, { logger, admit, guard, headers, onError, times });
  const hot = { ...options, admit, guard, headers, onError, times: times.served(HOT_ROUTE) };
  const handle = withTraces(withHotRoute(hot, app));
  return {
    express: app,
    handle: (request, response) => {
      times.begin(request, response);
      handle(request, response);
    },
  };
}

type ErrorAnswer = (
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  notes: RequestNotes,
) => void;

function errorAnswers(onUnforeseen: (error: unknown) => void): ErrorAnswer {
  return (error, request, response, { jobId }) => {
    const problem = problemOf(error, jobId);
    if (problem.document.status === 500) onUnforeseen(error);
    sendProblem(request, response, problem);
  };
}

interface Parts {
  readonly logger: Logger;
  readonly admit: Admit;
  readonly guard: Guard | undefined;
  readonly headers: SecurityHeaders;
  readonly onError: ErrorAnswer;
  readonly times: RequestTimes;
}

function byExpress(
  routes: readonly Route[],
  { logger, admit, guard, headers, onError, times }: Parts,
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('query parser', 'simple');
  app.use((request, response, next) => {
    setHeaders(response, headers);
    logWhenAnswered(logger, request, response, request.path, response.locals);
    next();
  });
  mountRoutes(app, routes, { admit, guard, times });
  // Express tells error handlers by their four parameters.
  const answerErrors: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (response.headersSent) next(error);
    else onError(error, request, response, response.locals);
  };
  return app.use(notFound(admit, guard), answerErrors);
}

/** Where a stranger finds out what there is (RFC 8631). */
const DESCRIPTION_LINK = '</openapi.json>; rel="service-desc", </docs>; rel="service-doc"';

/** What is no route is for nobody to try out. */
function notFound(admit: Admit, guard: Guard | undefined): RequestHandler {
  return (request, response) => {
    admit(request.path);
    guard?.(request, 'known', response.locals);
    const message = `no such resource: ${request.path.slice(0, 200)} (what there is: /docs)`;
    throw new HttpError(404, message, { code: 'NOT_FOUND', headers: { Link: DESCRIPTION_LINK } });
  };
}
