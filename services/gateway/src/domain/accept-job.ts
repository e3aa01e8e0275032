import type { Jobs, PublishOptions } from '@warren/client';
import type { Duration } from '@warren/contracts';

/** What may be said about a job beside its type, payload and id. */
type RequestOptions = Pick<
  PublishOptions,
  'correlationId' | 'headers' | 'delay' | 'runAt' | 'expiresIn' | 'lane'
>;

/** Which requests are one job. At most one of `unique`, `throttle` and `debounce`; all of them need the store. */
export interface UniqueOptions {
  /** None is made while one with the same key has not ended. */
  readonly unique?: 'active';
  /** None is made for so long after one with the same key. */
  readonly throttle?: Duration;
  /** The job waits for so long after the last request with its key, which replaces what it was to do. */
  readonly debounce?: Duration;
  /** With `debounce`: at most so long after the first request. Default: ten times the wait, at most 7d. */
  readonly maxWait?: Duration;
  /** What requests for one job have in common. Default: the payload; needed with `debounce`. */
  readonly uniqueKey?: string;
}

/** A job that somebody asks for, its envelope already checked; the payload is not yet. */
export interface JobRequest extends RequestOptions, UniqueOptions {
  readonly type: string;
  readonly payload: unknown;
  /** Chosen before anything is sent, so that an unknown result can be repeated under the same id. */
  readonly id: string;
  /** Two jobs with this key and the same payload are one. Needs the store. */
  readonly idempotency?: string;
}

/** What was taken over. */
export interface AcceptedJob {
  readonly id: string;
  /** Nothing was made: this is the job of an earlier request. */
  readonly duplicate?: true;
  /** It waits, and will do what this request says. */
  readonly replaced?: true;
}

/**
 * Takes a job over: when it resolves, the job is durable and the caller may forget it.
 * Rejects with one of the errors of `@warren/contracts`; only PublishTimeoutError leaves it open whether the job was
 * taken.
 */
export type AcceptJob = (request: JobRequest) => Promise<AcceptedJob>;

/** What direct publishing needs of the client. */
export type Publisher = Pick<Jobs, 'publishByType'>;

/**
 * Accepts a job by publishing it at once: durable means confirmed by the broker.
 * @param timeoutMs how long a confirm may take
 */
export function acceptByPublishing(jobs: Publisher, timeoutMs: number): AcceptJob {
  return ({ type, payload, idempotency: _, ...options }) =>
    jobs.publishByType(type, payload, Object.assign(options, { timeoutMs }));
}
