import type { GuardOptions } from './auth/guard.ts';
import { type BreakerRoutesOptions, breakerRoutes } from './breakers/breaker-routes.ts';
import type { BulkRouteOptions } from './bulk-options.ts';
import { bulkRoute } from './bulk-route.ts';
import { type LetterRoutesOptions, letterRoutes } from './dead-letters/letter-routes.ts';
import { type ReplayRoutesOptions, replayRoutes } from './dead-letters/replay-routes.ts';
import { type TransferRoutesOptions, transferRoutes } from './dead-letters/transfer-routes.ts';
import { type EventsRouteOptions, eventsRoute } from './events-route.ts';
import { type JobsRouteOptions, jobsRoute } from './jobs-route.ts';
import { type LimitRoutesOptions, limitRoutes } from './limits/limit-routes.ts';
import { eventStreamRoute } from './live/event-stream-route.ts';
import { jobEventsRoute } from './live/job-events-route.ts';
import type { LiveOptions } from './live/live-options.ts';
import { docsRoutes } from './openapi/docs-routes.ts';
import type { Catalog } from './openapi/document.ts';
import { type OpsRoutesOptions, opsRoutes } from './ops-routes.ts';
import { concurrencyRoutes } from './queues/concurrency-routes.ts';
import { type QueueRoutesOptions, queueRoutes } from './queues/queue-routes.ts';
import type { Route } from './route.ts';
import { type CancelOptions, cancelRoute } from './status/cancel-route.ts';
import { jobListRoute } from './status/job-list-route.ts';
import { jobLogRoute } from './status/job-log-route.ts';
import { jobRoute } from './status/job-route.ts';
import { type RetryOptions, retryRoute } from './status/retry-route.ts';

/** What the routes are made of. */
export interface RoutesOptions
  extends GuardOptions,
    JobsRouteOptions,
    BulkRouteOptions,
    EventsRouteOptions,
    OpsRoutesOptions,
    LiveOptions,
    CancelOptions,
    RetryOptions,
    QueueRoutesOptions,
    BreakerRoutesOptions,
    LetterRoutesOptions,
    ReplayRoutesOptions,
    TransferRoutesOptions,
    LimitRoutesOptions {
  readonly catalog: Catalog;
}

/** Every route of the gateway: what is served and what is documented both come from here. */
export function allRoutes(options: RoutesOptions): Route[] {
  const routes = [
    jobsRoute(options),
    bulkRoute(options),
    eventsRoute(options),
    jobListRoute(options),
    jobRoute(options),
    cancelRoute(options),
    retryRoute(options),
    jobEventsRoute(options),
    eventStreamRoute(options),
    jobLogRoute(options),
    ...queueRoutes(options),
    ...concurrencyRoutes(options),
    ...breakerRoutes(options),
    ...letterRoutes(options),
    ...replayRoutes(options),
    ...transferRoutes(options),
    ...limitRoutes(options),
    ...opsRoutes(options),
  ];
  return [...routes, ...docsRoutes(routes, options.catalog, options)];
}
