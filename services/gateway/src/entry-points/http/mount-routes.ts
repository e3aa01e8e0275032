import { nameRequest } from '@warren/telemetry';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Guard } from './auth/guard.ts';
import { type Access, accessOf } from './auth/route-access.ts';
import { HttpError } from './http-error.ts';
import type { Route } from './route.ts';

/**
 * Serves the routes, and refuses other methods of their paths.
 * @param guard is asked first, by every route; absent where no keys are set
 */
export function mountRoutes(app: Express, routes: readonly Route[], guard?: Guard): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path);
    app.all(path, byMethod(path, ofPath, guard));
  }
}

/** One handler for all methods of a path: each further one costs the hottest path a step through express. */
function byMethod(path: string, routes: readonly Route[], guard?: Guard): RequestHandler {
  const served = new Map<string, { handle: Route['handle']; access: Access }>();
  for (const route of routes) {
    const { method, handle } = route;
    const access = accessOf(route);
    served.set(method.toUpperCase(), { handle, access });
    if (method === 'get') served.set('HEAD', { handle, access });
  }
  const allow = [...served.keys(), 'OPTIONS'].join(', ');
  return (request, response) => {
    nameRequest(request.method, path);
    const one = served.get(request.method);
    guard?.(request, one?.access ?? 'known', response.locals);
    return one ? one.handle(request, response) : refuseMethod(request, response, allow);
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
