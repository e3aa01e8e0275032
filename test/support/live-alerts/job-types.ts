import { NonRetryableError, type RetryOptions } from '@warren/contracts';
import { anyJob, type Gate } from '@warren/testing';
import { type HandlerRegistration, handle } from '@warren/worker';

const often: RetryOptions = {
  maxAttempts: 1_000,
  backoff: { kind: 'fixed', delay: '500ms', jitter: 'none' },
};

/** A job type for each thing that goes wrong with jobs. */
export const TYPES = {
  /** More of them come than are done. */
  slow: anyJob('probe.slow', { timeout: '10m', concurrency: 1, alerts: { depth: 100 } }),
  /** Ignores its abort. */
  hanging: anyJob('probe.hanging', { timeout: '1s', cancelGrace: '1s', concurrency: 1 }),
  /** Fails for good, once. */
  dying: anyJob('probe.dying'),
  /** Fails for good, again and again. */
  bad: anyJob('probe.bad'),
  stormy: anyJob('probe.stormy', { retry: often }),
  /** What it calls is away. */
  guarded: anyJob('probe.guarded', { retry: often }),
  /** Comes after it was on its way for minutes. */
  late: anyJob('probe.late'),
  /** Its service goes. */
  left: anyJob('probe.left'),
  /** Its queue goes while one waits for its time. */
  delayed: anyJob('probe.delayed'),
  /** Tells the history much. */
  chatty: anyJob('probe.chatty'),
} as const;

/** Has no queue, since its service was never started. */
export const UNDECLARED = anyJob('probe.undeclared');

/** The circuit breaker around `guarded`. */
export const BREAKER = 'mailer';

/** The handlers of one service, most of them ill; `end` lets those go that would run for ever. */
export const illHandlers = (end: Gate): readonly HandlerRegistration[] => [
  handle(TYPES.slow, () => end.opened),
  handle(TYPES.hanging, () => end.opened),
  handle(TYPES.dying, failForGood),
  handle(TYPES.bad, failForGood),
  handle(TYPES.stormy, fail),
  handle(TYPES.guarded, fail, {
    breaker: { name: BREAKER, volumeThreshold: 2, resetTimeout: '1s' },
  }),
  handle(TYPES.late, () => undefined),
];

async function fail(): Promise<never> {
  throw new Error('connect ECONNREFUSED');
}

async function failForGood(): Promise<never> {
  throw new NonRetryableError('no such customer');
}
