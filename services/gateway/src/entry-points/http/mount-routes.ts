import { nameRequest } from '@warren/telemetry';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Guard } from './auth/guard.ts';
import { type Access, accessOf } from './auth/route-access.ts';
import { HttpError } from './http-error.ts';
import { type RequestTimes, type RouteTimes, timedAs } from './request-times.ts';
import type { Route } from './route.ts';
import type { Admit } from './while-stopping.ts';

/** What all routes share. */
export interface MountOptions {
  readonly admit: Admit;
  /** Is asked next, by every route; absent where no keys are set. */
  readonly guard?: Guard | undefined;
  readonly times: RequestTimes;
}

/** Serves the routes, and refuses other methods of their paths. */
export function mountRoutes(app: Express, routes: readonly Route[], options: MountOptions): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const ofPath = routes.filter((route) => route.path === path);
    app.all(path, byMethod(path, ofPath, options));
  }
}

interface ServedMethod {
  readonly handle: Route['handle'];
  readonly access: Access;
  readonly times: RouteTimes;
}

/** One handler for all methods of a path: each further one costs the hottest path a step through express. */
function byMethod(
  path: string,
  routes: readonly Route[],
  { admit, guard, times }: MountOptions,
): RequestHandler {
  const served = new Map<string, ServedMethod>();
  const notServed = times.of('other', path);
  for (const route of routes) {
    const { method, handle } = route;
    const access = accessOf(route);
    served.set(method.toUpperCase(), { handle, access, times: times.served(route) });
    if (method === 'get') served.set('HEAD', { handle, access, times: times.of('HEAD', path) });
  }
  const allow = [...served.keys(), 'OPTIONS'].join(', ');
  return (request, response) => {
    nameRequest(request.method, path);
    const one = served.get(request.method);
    timedAs(response, one?.times ?? notServed);
    admit(path);
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
  throw new HttpError(405, message, { code: 'METHOD_NOT_ALLOWED', headers: { Allow: allow } });
}
