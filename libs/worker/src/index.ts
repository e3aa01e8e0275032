export type { BreakerOptions, BreakerView } from '@warren/breaker';
export type { LimitAnswer, LimitRequest, LimitsPort } from '@warren/limiter';
export type { Claim, ClaimsPort } from './claims-port.ts';
export {
  type CallBreaker,
  type HandleOptions,
  type HandlerBreaker,
  type HandlerLimit,
  type HandlerRegistration,
  handle,
  type JobContext,
  type JobHandler,
  type KeyConcurrency,
  type OnceContext,
} from './handle.ts';
export type {
  ExpiredLease,
  LeasedMessage,
  LeaseKey,
  LeasesPort,
  LeaseTake,
} from './leases-port.ts';
export {
  type EventHandler,
  type PatternSubscribeOptions,
  type SubscribeOptions,
  subscribe,
} from './subscribe.ts';
export { createWorker, type Worker, type WorkerOptions, type WorkerReadiness } from './worker.ts';
export type { WorkerHistoryOptions } from './worker-history.ts';
