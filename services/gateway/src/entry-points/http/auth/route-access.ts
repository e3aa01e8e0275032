import type { ApiScope } from '@warren/runtime';
import type { Route } from '../route.ts';

/** Who may use a route: whoever reaches it, or callers whose key has the scope. */
export type Access = ApiScope | 'open';

/** Every route of the gateway, as its OpenAPI document has it. Which scope lets do what is decided here, and nowhere else. */
const ROUTE_ACCESS: Readonly<Record<string, Access>> = {
  'POST /v1/jobs': 'publish',
  'POST /v1/jobs/bulk': 'publish',
  'POST /v1/events': 'publish',

  'GET /v1/jobs': 'read',
  'GET /v1/jobs/:id': 'read',
  'GET /v1/jobs/:id/log': 'read',
  'GET /v1/jobs/:id/events': 'read',
  'GET /v1/events-stream': 'read',
  'GET /v1/queues': 'read',
  'GET /v1/queues/:queue': 'read',
  'GET /v1/breakers': 'read',
  'GET /v1/limits': 'read',
  'GET /v1/dead-letters': 'read',
  'GET /v1/dead-letters/:queue': 'read',
  'GET /v1/dead-letters/:queue/groups': 'read',
  'GET /v1/dead-letters/:queue/letters/:id': 'read',
  'GET /v1/replays': 'read',
  'GET /v1/replays/:id': 'read',
  'GET /metrics': 'read',

  'DELETE /v1/jobs/:id': 'admin',
  'POST /v1/jobs/:id/retry': 'admin',
  'POST /v1/queues/:queue/pause': 'admin',
  'POST /v1/queues/:queue/resume': 'admin',
  'PUT /v1/queues/:queue/concurrency': 'admin',
  'DELETE /v1/queues/:queue/concurrency': 'admin',
  'PUT /v1/breakers/:name': 'admin',
  'PUT /v1/limits/:name': 'admin',
  'DELETE /v1/limits/:name': 'admin',
  'POST /v1/dead-letters/:queue/discard': 'admin',
  'POST /v1/dead-letters/:queue/export': 'admin',
  'POST /v1/dead-letter-imports': 'admin',
  'POST /v1/replays': 'admin',
  'DELETE /v1/replays/:id': 'admin',
  'POST /v1/replays/:id/resume': 'admin',

  // Whoever probes has no key.
  'GET /healthz': 'open',
  'GET /readyz': 'open',
  // What the API takes, and nothing of any job. A browser that opens the page has no key yet.
  'GET /openapi.json': 'open',
  'GET /docs': 'open',
  'GET /docs/:file': 'open',
};

/**
 * Who may use a route.
 * @throws Error where the table does not say it: such a route is not served at all
 */
export function accessOf({ method, path }: Pick<Route, 'method' | 'path'>): Access {
  const name = `${method.toUpperCase()} ${path}`;
  const access = Object.hasOwn(ROUTE_ACCESS, name) ? ROUTE_ACCESS[name] : undefined;
  if (access) return access;
  throw new Error(`${name} has no scope: say in the table of access who may use it`);
}

/** Names of all routes that the table knows, such as `GET /v1/jobs/:id`. */
export function routesWithAccess(): string[] {
  return Object.keys(ROUTE_ACCESS);
}
