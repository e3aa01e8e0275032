import { WarrenError } from './errors.ts';
import type { DeadReason } from './headers.ts';

/** Throw it from a handler: another attempt would be useless, the job becomes a dead letter now. */
export class NonRetryableError extends WarrenError {
  constructor(message: string, options?: { cause?: unknown }) {
    super('NON_RETRYABLE', message, options);
  }
}

/** Throw it from a handler: the attempt failed; try again, but not before `delayMs` have passed. */
export class RetryAfterError extends WarrenError {
  readonly delayMs: number;

  constructor(delayMs: number, message = 'retry later', options?: { cause?: unknown }) {
    super('RETRY_AFTER', message, options);
    this.delayMs = delayMs;
  }
}

/** Throw it from a handler: not now. The job comes back after `delayMs`; no attempt is spent. */
export class SnoozeError extends WarrenError {
  readonly delayMs: number;

  constructor(delayMs: number, message = 'snoozed') {
    super('SNOOZE', message);
    this.delayMs = delayMs;
  }
}

/** What is known of a circuit that lets nothing through. */
interface OpenCircuit {
  readonly breaker: string;
  readonly key?: string | undefined;
  /** Until it is tried again. */
  readonly delayMs: number;
  /** The failure that it opened at. */
  readonly cause?: unknown;
}

/** The circuit of a dependency is open. Thrown from a handler, it puts the job off: no attempt is spent. */
export class CircuitOpenError extends WarrenError {
  readonly breaker: string;
  readonly key: string | undefined;
  readonly delayMs: number;

  constructor({ breaker, key, delayMs, cause }: OpenCircuit) {
    const of = key === undefined ? breaker : `${breaker} (${key})`;
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    super(
      'CIRCUIT_OPEN',
      `the circuit of ${of} is open${why}`,
      cause === undefined ? undefined : { cause },
    );
    this.breaker = breaker;
    this.key = key;
    this.delayMs = delayMs;
  }
}

/** A call took longer than its breaker's `timeout`: the reason of the signal that the call was given. */
export class CallTimeoutError extends WarrenError {
  constructor(breaker: string, timeoutMs: number) {
    super('CALL_TIMEOUT', `a call of ${breaker} took longer than ${timeoutMs} ms`);
  }
}

/** The reason of `ctx.signal` when a handler ran over its job type's timeout. */
export class JobTimeoutError extends WarrenError {
  constructor(jobType: string, timeoutMs: number) {
    super('JOB_TIMEOUT', `${jobType} ran longer than its timeout of ${timeoutMs} ms`);
  }
}

/** The reason of `ctx.signal` when somebody cancelled the job while its handler ran; `by` says who, if they said so. */
export class JobCancelledError extends WarrenError {
  readonly by: string | undefined;

  constructor(jobType: string, by?: string) {
    super('JOB_CANCELLED', `${jobType} was cancelled${by === undefined ? '' : ` by ${by}`}`);
    this.by = by;
  }
}

/** Why a job that was waited for did not succeed: the reason of its dead letter, or how else it ended. */
export type JobFailure = DeadReason | 'cancelled' | 'expired' | 'discarded';

/** A job that was waited for ended without success. `failure` is the last error of its handler, as far as it is known. */
export class JobFailedError extends WarrenError {
  readonly jobId: string;
  readonly reason: JobFailure;
  readonly failure: JobFailureDetails | undefined;

  constructor(jobId: string, reason: JobFailure, failure?: JobFailureDetails) {
    const detail = failure ? `: ${failure.name}: ${failure.message}` : '';
    super('JOB_FAILED', `job ${jobId} did not succeed (${reason})${detail}`);
    this.jobId = jobId;
    this.reason = reason;
    this.failure = failure;
  }
}

/** An error of another process. */
export interface JobFailureDetails {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

/** A job that was waited for succeeded, but what its handler returned could not be kept. */
export class ResultMissingError extends WarrenError {
  constructor(jobId: string, problem: string) {
    super('RESULT_MISSING', `job ${jobId} succeeded, but its result was not kept: ${problem}`);
  }
}

/** A job that was waited for did not end in time, as far as the history told. */
export class WaitTimeoutError extends WarrenError {
  constructor(jobId: string, timeoutMs: number, problem?: string) {
    const detail = problem === undefined ? '' : ` (the history cannot be read: ${problem})`;
    super('WAIT_TIMEOUT', `job ${jobId} did not end within ${timeoutMs} ms${detail}`);
  }
}

/** The reason of `ctx.signal` when a job that may run once only lost its claim: another run may have begun. */
export class ClaimLostError extends WarrenError {
  constructor(jobType: string, detail: string) {
    super('CLAIM_LOST', `${jobType} lost its claim: ${detail}`);
  }
}

/** The reason of `ctx.signal` when a long job lost its lease: another run may have begun. */
export class LeaseLostError extends WarrenError {
  constructor(jobType: string, detail: string) {
    super('LEASE_LOST', `${jobType} lost its lease: ${detail}`);
  }
}

/** The reason of `ctx.signal` when the broker took the delivery back while the handler ran. */
export class DeliveryLostError extends WarrenError {
  constructor(queue: string, detail: string) {
    super('DELIVERY_LOST', `the delivery from ${queue} was lost: ${detail}`);
  }
}
