export type { StandardSchemaV1 } from '@standard-schema/spec';
export {
  type AdaptiveBounds,
  type AdaptiveConcurrency,
  resolveAdaptive,
} from './adaptive-concurrency.ts';
export {
  type AlertLimits,
  type AlertOptions,
  alertLimitsOf,
} from './alert-limits.ts';
export { checkBreakerName } from './breaker-name.ts';
export { decodePayload, encodePayload } from './codec.ts';
export {
  type CancelRequest,
  type ControlSnapshot,
  decodeCancelRequest,
  decodeControlSnapshot,
  encodeCancelRequest,
  encodeControlSnapshot,
  isCancelled,
} from './control-messages.ts';
export { type Duration, durationToMs } from './duration.ts';
export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export * from './errors.ts';
export { defineEvent, type EventDefinition } from './event-definition.ts';
export { checkEventPattern } from './event-pattern.ts';
export { DEAD_REASONS, type DeadReason, HEADERS, MAX_ERROR_HEADER_BYTES } from './headers.ts';
export { derivedJobId, newJobId, timeOfJobId } from './ids.ts';
export type { Job } from './job.ts';
export { defineJob, type JobDefinition, type JobOptions } from './job-definition.ts';
export { checkJobTypeName } from './job-type-name.ts';
export { isLane, LANES, type Lane } from './lane.ts';
export {
  checkKeySource,
  checkLimitName,
  checkLimitRate,
  checkRates,
  isRatesByName,
  LIMIT_OPTIONS,
  type LimitOptions,
  type LimitRate,
  type LimitRule,
  resolveLimitRate,
} from './limit-options.ts';
export { type Linked, LinkedSet } from './linked-set.ts';
export type {
  PayloadDefinition,
  PayloadInput,
  PayloadOptions,
  PayloadOutput,
  Upgrade,
} from './payload-definition.ts';
export { type Redact, redactorOf } from './personal-data.ts';
export { pii, piiPathsOf } from './pii.ts';
export { COUNT_LIMITS, checkQueueCounts, type QueueCounts } from './queue-counts.ts';
export { REDACTED, redactPayload, redactTexts } from './redact.ts';
export {
  type Backoff,
  type BackoffOptions,
  type Jitter,
  MAX_DELAY_MS,
  type RetryOptions,
  type RetryPolicy,
} from './retry-policy.ts';
export * from './run-errors.ts';
export { type RunOptions, type RunPolicy, resolveRunPolicy } from './run-options.ts';
export * from './store-errors.ts';
export {
  cancelGraceOfStopMs,
  type HandlerTimes,
  longestWaitMs,
  type ResolvedTimes,
  resolveTimes,
  type WorkerTimes,
} from './times.ts';
export { isTraceparent } from './traceparent.ts';
export { upgradePayload } from './upgrade.ts';
export { validatePayload } from './validate.ts';
