import { DEAD_REASONS, type DeadReason } from '@warren/contracts';

/**
 * Marks a label whose values are names from declarations (queues, job types, exchanges, connections).
 * Callers pass declared names only, never what a message or a request says.
 */
export const DECLARED = 'declared';

/** What became of one publish. `returned`: no queue took it. `error`: it was never sent. */
export const PUBLISH_OUTCOMES = ['confirmed', 'nacked', 'returned', 'timeout', 'error'] as const;

/** How one run of a handler ended. */
export const RUN_OUTCOMES = ['succeeded', 'failed', 'timeout', 'cancelled'] as const;

/** How a job ended for good. */
export const FINAL_OUTCOMES = ['succeeded', 'dead_lettered', 'expired', 'cancelled'] as const;

/** What came of claiming a job that runs once only. `lost`: claimed, and not renewed in time. */
export const CLAIM_OUTCOMES = ['claimed', 'busy', 'done', 'unavailable', 'lost'] as const;

/**
 * What came of taking over a long job. `duplicate`: it runs already, and this delivery is not needed. `lost`: taken, and not
 * renewed in time.
 */
export const LEASE_OUTCOMES = ['taken', 'busy', 'duplicate', 'unavailable', 'lost'] as const;

/** Who has a long job that is in the store: a worker that renews its lease, or nobody for now. */
export const LEASE_STATES = ['held', 'expired'] as const;

/** Why an attempt failed, as coarse as a label must be; see `errorTypeOf`. */
export const ERROR_TYPES = ['timeout', 'dependency', 'aborted', 'handler', '_OTHER'] as const;

/** Why a consumer takes no deliveries for the time being. */
export const PAUSE_REASONS = [
  'move_failing',
  'operator',
  'breaker',
  'rate_limit',
  'shutdown',
] as const;

/** What a circuit lets through: all, nothing, or one call to find out. */
export const CIRCUIT_STATES = ['closed', 'open', 'half_open'] as const;

/** What a queue is for. */
export const QUEUE_ROLES = ['work', 'suspect', 'retry', 'dead'] as const;

/** What became of a dead letter that was to be replayed. `skipped`: it stays, for a reason that its run tells. `failed`: nobody knows. */
export const REPLAY_OUTCOMES = ['replayed', 'skipped', 'failed'] as const;

/** Methods of HTTP; `other` where the route does not serve it. */
export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'other'] as const;

/** Classes of HTTP statuses. `none`: the connection ended before there was an answer. */
export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

/** Where a repeat was recognised: when it was accepted, or when it was to run. */
export const DEDUP_STAGES = ['enqueue', 'consume'] as const;

export const DEAD_LETTER_REASONS = Object.keys(DEAD_REASONS) as readonly DeadReason[];

export type PublishOutcome = (typeof PUBLISH_OUTCOMES)[number];
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number];
export type LeaseOutcome = (typeof LEASE_OUTCOMES)[number];
export type RunOutcome = (typeof RUN_OUTCOMES)[number];
export type FinalOutcome = (typeof FINAL_OUTCOMES)[number];
export type ErrorType = (typeof ERROR_TYPES)[number];
export type PauseReason = (typeof PAUSE_REASONS)[number];
export type CircuitState = (typeof CIRCUIT_STATES)[number];
export type HttpMethod = (typeof HTTP_METHODS)[number];
export type QueueRole = (typeof QUEUE_ROLES)[number];
