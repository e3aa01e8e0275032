interface ErrorCodeInfo {
  /** HTTP status of a problem document that carries this code. */
  readonly status: number;
  readonly title: string;
  /** What whoever meets it should do. */
  readonly advice: string;
}

/**
 * Every error code that Warren's own errors carry. The codes are stable: programs may compare them.
 * `docs/errors.md` is held against this table by a test.
 */
export const ERROR_CODES = {
  CONFIG_INVALID: {
    status: 500,
    title: 'A setting or option is wrong',
    advice: 'Correct the setting that the message names; the process refuses to start with it.',
  },
  PAYLOAD_INVALID: {
    status: 422,
    title: "The payload does not fit the job type's schema",
    advice: 'Correct the fields that the message names. Nothing was published.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'The payload is larger than the limit',
    advice: 'Store the data elsewhere and publish a reference to it. Nothing was published.',
  },
  HEADER_INVALID: {
    status: 422,
    title: 'A header cannot be sent',
    advice:
      'Use strings, finite numbers or booleans under names that do not begin with `x-`. Nothing was published.',
  },
  UNKNOWN_JOB_TYPE: {
    status: 422,
    title: 'No such job type or event',
    advice: 'Register the job type or event, or correct its name. Nothing was published.',
  },
  UNROUTABLE: {
    status: 503,
    title: 'No queue takes this job',
    advice:
      'The queue or its binding is missing at the broker: start a worker of this type or declare the topology. Nothing was kept.',
  },
  PUBLISH_REFUSED: {
    status: 503,
    title: 'The broker refused the job',
    advice: 'The broker answered with a nack. Repeat later with the same id. Nothing was kept.',
  },
  PUBLISH_BUFFER_FULL: {
    status: 503,
    title: 'Too many jobs wait to be published',
    advice:
      'Publish more slowly, or await earlier publishes first. This job was never sent to the broker.',
  },
  QUEUE_FULL: {
    status: 503,
    title: "As many jobs wait in the queue as the job type's maxDepth allows",
    advice: 'Repeat later, when others have run. This job was never sent to the broker.',
  },
  BROKER_UNAVAILABLE: {
    status: 503,
    title: 'The broker cannot be reached',
    advice: 'Repeat later. This job was never sent to the broker.',
  },
  BROKER_BLOCKED: {
    status: 503,
    title: 'The broker accepts no messages at present',
    advice:
      'The broker has a memory or disk alarm. Repeat later. This job was never sent to the broker.',
  },
  PUBLISH_TIMEOUT: {
    status: 503,
    title: 'The broker did not confirm in time',
    advice:
      'Unknown: the job may be queued. Repeat with the same id, so that a duplicate can be recognised.',
  },
  TOPOLOGY_MISMATCH: {
    status: 500,
    title: 'A queue or exchange exists with other arguments',
    advice: 'Follow the steps in the message; nothing was changed or deleted.',
  },
  QUEUE_MISSING: {
    status: 404,
    title: 'The queue does not exist at the broker',
    advice: 'Correct its name, or declare the topology.',
  },
  QUEUE_IN_USE: {
    status: 409,
    title:
      'The queue has consumers; a worker that is paused, or in its grace time, is one while it has jobs in hand',
    advice:
      'Stop its workers and wait for their end (`--wait`), or until nobody looks at it, then repeat. Nothing is lost.',
  },
  MESSAGES_LEFT: {
    status: 409,
    title: 'Messages cannot be copied and stay in their queue',
    advice:
      'Replay or discard those that the message names, then repeat: it goes on where it ended. Nothing is lost.',
  },
  LIMIT_MISSING: {
    status: 404,
    title: 'Nobody knows a limit of this name',
    advice:
      'Correct its name: `warren limits list` and `GET /v1/limits` have all. One that only a handler defines is known while a worker runs.',
  },
  LOCK_HELD: {
    status: 409,
    title: 'Somebody else is doing this',
    advice:
      'Wait until the one that the message names has ended, then repeat. Nothing was changed.',
  },
  MESSAGE_UNREADABLE: {
    status: 422,
    title: 'The message cannot be decoded',
    advice: 'The bytes are kept as they came in the dead-letter queue. Correct the publisher.',
  },
  NON_RETRYABLE: {
    status: 422,
    title: 'The handler said that retrying is useless',
    advice: 'See the cause; the job went to its dead-letter queue at once.',
  },
  RETRY_AFTER: {
    status: 503,
    title: 'The handler asked to be tried again later',
    advice: 'Nothing to do: the job is retried, not before the time that it named.',
  },
  SNOOZE: {
    status: 503,
    title: 'The handler put the job off',
    advice: 'Nothing to do: the job comes back later and no attempt was spent.',
  },
  CIRCUIT_OPEN: {
    status: 503,
    title: 'What the job needs does not work at present',
    advice:
      'Nothing to do for the job: it comes back later and no attempt was spent. See what is wrong with the dependency that the message names.',
  },
  CALL_TIMEOUT: {
    status: 504,
    title: "A call took longer than its breaker's timeout",
    advice: 'Honour the signal that the call is given, or raise `timeout` of the breaker.',
  },
  JOB_TIMEOUT: {
    status: 504,
    title: "The handler ran longer than the job type's timeout",
    advice: 'Honour `ctx.signal` in the handler, or raise `timeout`.',
  },
  JOB_CANCELLED: {
    status: 409,
    title: 'The job was cancelled',
    advice: 'Nothing to do: somebody asked for it; the handler should stop. It is not run again.',
  },
  JOB_FAILED: {
    status: 409,
    title: 'The job ended without success',
    advice: 'See its reason and error; a dead letter can be replayed.',
  },
  RESULT_MISSING: {
    status: 409,
    title: 'The job succeeded, but its result was not kept',
    advice:
      'Return less, or what JSON can hold; store the rest elsewhere and return a reference to it.',
  },
  WAIT_TIMEOUT: {
    status: 504,
    title: 'The job did not end in time',
    advice:
      'Nothing happened to the job: wait again. One that ended long ago is found through the gateway only.',
  },
  CLAIM_LOST: {
    status: 409,
    title: 'The job was claimed by another run',
    advice:
      'Nothing to do: this run could not renew its claim in time; the handler should stop, and pass its token on so that late writes are refused.',
  },
  LEASE_LOST: {
    status: 409,
    title: 'The long job was given to another run',
    advice:
      'Nothing to do: the store was away, or the process stood still, for longer than the lease; the job goes on elsewhere, from its last checkpoint.',
  },
  DELIVERY_LOST: {
    status: 503,
    title: 'The delivery was lost while its handler ran',
    advice: 'Nothing to do: the broker delivers the job again; the handler should stop.',
  },
  SHUTTING_DOWN: {
    status: 503,
    title: 'The process is shutting down',
    advice: 'Repeat later, or at another process. This job was never sent to the broker.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    title: 'The store does not answer',
    advice: 'Repeat later. Jobs that the broker has still run; see the database.',
  },
  STORE_TOO_NEW: {
    status: 500,
    title: 'The store was made by a newer version',
    advice: 'Run the version that made it, or a newer one. Nothing was changed.',
  },
  CURSOR_INVALID: {
    status: 400,
    title: 'The cursor was not given out for this list',
    advice: 'Pass the cursor of the page before with the same filter, or none to begin anew.',
  },
  STORE_MISSING: {
    status: 501,
    title: 'There is no store',
    advice: 'Set `DATABASE_URL`; without a store nothing is known of jobs beyond their queues.',
  },
  OPTION_NEEDS_STORE: {
    status: 400,
    title: 'The option needs the store',
    advice:
      'Publish through a gateway that has one (`DATABASE_URL`), or leave the option out. Nothing was published.',
  },
  OUTBOX_FULL: {
    status: 503,
    title: 'Too many jobs wait for the broker',
    advice: 'Repeat later. The broker is away or too slow for what comes in. Nothing was kept.',
  },
  FOLLOWERS_FULL: {
    status: 503,
    title: 'Too many clients follow what happens to jobs',
    advice: 'Repeat later, ask another gateway, or raise `LIVE_MAX_CLIENTS`.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    title: 'The idempotency key was used for another job',
    advice: 'Use a fresh key for each job; repeat a request as it was. Nothing was published.',
  },
  JOB_STATE_CONFLICT: {
    status: 409,
    title: 'The job is in another state',
    advice:
      'Look at the job; what was asked for is not possible in its state. Nothing was changed.',
  },
  RUN_STATE_CONFLICT: {
    status: 409,
    title: 'The replay or discard is in another state',
    advice:
      'Look at it: only one that stopped or was interrupted is resumed, only one that runs is stopped. Nothing was changed.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'The request has no key that is known',
    advice:
      'Send `Authorization: Bearer` and a key that the gateway knows by `WARREN_API_KEYS`. Nothing was done.',
  },
  SCOPE_MISSING: {
    status: 403,
    title: 'The key may not do this',
    advice: 'Use a key with the scope that the message names. Nothing was done.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Too many requests with this key',
    advice: 'Repeat after the seconds that `Retry-After` says, and more slowly. Nothing was done.',
  },
  BAD_REQUEST: {
    status: 400,
    title: 'The request is malformed',
    advice: 'Correct what the message names.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'No such resource',
    advice: 'Correct the path.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'The resource does not take this method',
    advice: 'Use one of the methods that `Allow` names. Nothing was done.',
  },
  INTERNAL: {
    status: 500,
    title: 'Something unforeseen happened',
    advice: 'See the log of the process; report it if it is not explained there.',
  },
} as const satisfies Record<string, ErrorCodeInfo>;

/** A stable error code; see `docs/errors.md`. */
export type ErrorCode = keyof typeof ERROR_CODES;
