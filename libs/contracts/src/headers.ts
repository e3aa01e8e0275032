/**
 * Every message header that Warren writes. Headers cost throughput: a first publish carries none of them
 * unless it must. Readers take own properties only and treat a value of the wrong kind as absent.
 */
export const HEADERS = {
  /** Number of this attempt, from 1. Absent on the first. */
  attempt: 'x-attempt',
  /** Raised by one at each replay or manual retry. Absent in generation 0. */
  generation: 'x-generation',
  /** When the job was first published, or last replayed, ms since 1970. Absent where the id (UUIDv7) says so. */
  publishedAt: 'x-published-at',
  /** Not to be run before this time, ms since 1970. */
  notBefore: 'x-not-before',
  /** Worthless after this time, ms since 1970: it is then dropped, counted as expired. */
  expiresAt: 'x-expires-at',
  /** How often the job was put off without spending an attempt. */
  snoozes: 'x-snoozes',
  /** Version of the payload's shape. Absent for version 1. */
  payloadVersion: 'x-payload-version',
  /** Class, message and stack of the last failure, earlier ones a line each; at most 4 KiB. */
  error: 'x-error',
  /** Why the job became a dead letter; see DEAD_REASONS. */
  deadReason: 'x-dead-reason',
  /** When the job became a dead letter, ms since 1970. */
  deadAt: 'x-dead-at',
  /** The queue that a moved message came from. */
  origin: 'x-origin',
  /** The id of the dead letter that this message was replayed from. */
  replayOf: 'x-replay-of',
  /** The span in which the job was made, as W3C's Trace Context has it. Absent where spans were not collected then. */
  traceparent: 'traceparent',
  /** The span of the attempt before this one, or of the replay, in the same form. Absent as the one above. */
  previousSpan: 'x-previous-span',
} as const;

/** Longest value of `x-error`, in bytes. */
export const MAX_ERROR_HEADER_BYTES = 4_096;

/** Why a job became a dead letter: the values of `x-dead-reason` and of the metric label `reason`. */
export const DEAD_REASONS = {
  attempts_exhausted: 'every attempt failed',
  non_retryable: 'the handler said that retrying is useless',
  schema: "the payload does not fit the job type's schema",
  unreadable: 'the body cannot be decoded',
  max_age: "older than the job type's maxAge",
  max_snoozes: 'put off more often than maxSnoozes allows',
  poison:
    "several times its process died, or it outlasted the broker's consumer timeout, with this job alone in hand",
  unencodable: 'the broker moved it: no client can encode its headers again',
} as const;

export type DeadReason = keyof typeof DEAD_REASONS;
