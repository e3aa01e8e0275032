import { nameRequest } from '@warren/telemetry';
import type { Express, Request, RequestHandler, Response } from 'express';
import { HttpError } from './http-error.ts';
import type { Route } from './route.ts';

/** Serves the routes, and refuses other methods of their paths. */
export function mountRoutes(app: Express, routes: readonly Route[]): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path);
    app.all(path, byMethod(path, ofPath));
  }
}

/** One handler for all methods of a path: each further one costs the hottest path a step through express. */
function byMethod(path: string, routes: readonly Route[]): RequestHandler {
  const handlers = new Map<string, Route['handle']>();
  for (const { method, handle } of routes) {
    handlers.set(method.toUpperCase(), handle);
    if (method === 'get') handlers.set('HEAD', handle);
  }
  const allow = [...handlers.keys(), 'OPTIONS'].join(', ');
  return (request, response) => {
    nameRequest(request.method, path);
    const handle = handlers.get(request.method);
    return handle ? handle(request, response) : refuseMethod(request, response, allow);
  };
}

/** @throws HttpError 405 with `Allow`, but for OPTIONS, which it answers */
function refuseMethod(request: Request, response: Response, allow: string): void {
  if (request.method === 'OPTIONS') {
    response.status(204).set('Allow', allow).end();
    return;
  }
  const message = `${request.method} is not allowed here (allowed: ${allow})`;
  throw new HttpError(405, message, { code: 'NOT_FOUND', headers: { Allow: allow } });
}
