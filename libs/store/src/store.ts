import type { Drops, ErrorSummary, HistoryEvent, JobState, LogLevel } from '@warren/history';
import type { Leases } from './leases/types.ts';
import type { Uniqueness } from './unique/uniqueness.ts';

export type { Uniqueness } from './unique/uniqueness.ts';

/** A job as the store shows it. */
export interface JobRecord {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly state: JobState;
  readonly generation: number;
  readonly attempt: number;
  readonly createdAtMs: number;
  readonly startedAtMs?: number | undefined;
  readonly finishedAtMs?: number | undefined;
  /** Not before this, while it is scheduled or retrying. */
  readonly dueAtMs?: number | undefined;
  readonly updatedAtMs: number;
  readonly progress?:
    | { readonly fraction: number; readonly message?: string | undefined }
    | undefined;
  readonly error?: ErrorSummary | undefined;
  readonly reason?: string | undefined;
  /** Why the state may not be the last word: something that was told of the job, or should have been, is missing. */
  readonly uncertain?: string | undefined;
  /** What the handler returned. */
  readonly result?: unknown;
  readonly resultProblem?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly service?: string | undefined;
  readonly worker?: string | undefined;
}

/** One run of a handler. */
export interface AttemptRecord {
  readonly generation: number;
  readonly attempt: number;
  readonly run: string;
  readonly worker?: string | undefined;
  readonly startedAtMs?: number | undefined;
  readonly endedAtMs?: number | undefined;
  readonly outcome?: string | undefined;
  readonly error?: ErrorSummary | undefined;
}

/** One line of a job's log. */
export interface LogRecord {
  readonly run: string;
  readonly seq: number;
  readonly atMs: number;
  readonly level: LogLevel;
  readonly message: string;
  readonly fields?: unknown;
  /** The message was cut, or the fields left out, for their size. */
  readonly isCut?: boolean | undefined;
}

/** A page of a job's log. */
export interface LogPage extends Page<LogRecord> {
  /** Use it as the cursor later, for lines that are written after this page; also where `cursor` is undefined. */
  readonly position?: string | undefined;
  /** Lines of the job that are not kept: 1,000 are, the newest. */
  readonly missing: number;
}

/** A page of a list; `cursor` asks for the next one, undefined at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor?: string | undefined;
}

/** Which jobs to list, newest first. */
export interface JobFilter {
  readonly type?: string | undefined;
  readonly states?: readonly JobState[] | undefined;
  /**
   * How the id or the correlation id begins, or a part of the error's message, among the newest 10,000 jobs with an error (of
   * the type, where one is given). Of ids that begin so, the last 10,000 are looked at.
   */
  readonly search?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Reads what is known of jobs. */
export interface JobReader {
  /** All jobs with this id: one, or one for each subscriber of an event. */
  find(id: string): Promise<readonly JobRecord[]>;
  attempts(queue: string, id: string): Promise<readonly AttemptRecord[]>;
  /** @throws CursorInvalidError */
  list(filter: JobFilter): Promise<Page<JobRecord>>;
  /** @throws CursorInvalidError */
  log(
    queue: string,
    id: string,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<LogPage>;
  /** Jobs by queue and state, those that have not ended. */
  counts(): Promise<readonly { queue: string; state: JobState; count: number }[]>;
}

/** How far a stream was read. */
export interface StreamOffset {
  readonly stream: string;
  /** Of the last message that was applied. */
  readonly offset: number;
  /** Apply only where this one is kept so far; null for none. Undefined: whatever is kept, and never back. */
  readonly after?: number | null | undefined;
}

/** A job whose last known event is the beginning of a run. */
export interface RunningJob {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  readonly run: string;
  readonly worker: string | undefined;
  /** By the worker's clock. */
  readonly startedAtMs: number | undefined;
}

/** A job that has not ended as far as is known, of which something may be missing. */
export interface DoubtfulJob {
  readonly id: string;
  readonly queue: string;
  readonly type: string;
  readonly generation: number;
  readonly attempt: number;
  /** The run that its state is about; empty for none. */
  readonly run: string;
  /** Its claim says that it was done; `result` is JSON text. */
  readonly done: { readonly atMs: number; readonly result: string | undefined } | undefined;
}

/** Writes what history tells. */
export interface Projection {
  /**
   * Applies events and what is missing of them, and keeps the offset, in one transaction. Late, repeated and out-of-order events change nothing.
   * Without an offset for events that come from elsewhere than a stream.
   * @returns false when another offset is kept than `after`: nothing was applied. Somebody else reads the stream, the
   * projection was cleared, or an earlier call came through although it rejected.
   */
  apply(
    events: readonly HistoryEvent[],
    offset?: StreamOffset,
    drops?: readonly Drops[],
  ): Promise<boolean>;
  /** Undefined when the stream was never read. */
  offset(stream: string): Promise<number | undefined>;
  /** Drops everything that history can tell again. */
  clear(): Promise<void>;
  /** Jobs that run as far as is known, the oldest first. */
  running(options: { limit: number }): Promise<readonly RunningJob[]>;
  /** Jobs whose state may not be the last word, the oldest first. */
  doubtful(options: { limit: number }): Promise<readonly DoubtfulJob[]>;
  /** Rows of all its tables. Counts them: for people, not for loops. */
  countRows(): Promise<number>;
  /** Deletes ended jobs, but dead ones, that ended before this; at most `limit`. Returns how many. */
  prune(options: { endedBeforeMs: number; limit: number }): Promise<number>;
}

/** A message that waits to be published. Fields are AMQP's. */
export interface OutboxMessage {
  readonly id: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** One that a relay has taken. */
export interface LeasedOutboxMessage extends OutboxMessage {
  /** How often it was taken, this time included. */
  readonly leases: number;
}

/** A job to take over: published from the outbox later. */
export interface Acceptance {
  readonly message: OutboxMessage;
  readonly event: Extract<HistoryEvent, { kind: 'accepted' }>;
  readonly idempotency?: { readonly key: string; readonly payloadHash: string } | undefined;
}

/** What became of an acceptance. */
export type Accepted =
  | { readonly kind: 'accepted'; readonly id: string }
  /** The same key and payload came before: this is the first job. */
  | { readonly kind: 'duplicate'; readonly id: string }
  /** The same key came before with another payload. */
  | { readonly kind: 'conflict'; readonly id: string }
  /** The outbox holds as much as it may. */
  | { readonly kind: 'full'; readonly pending: number };

/** A job to take over, unless another answers for its key. */
export interface UniqueAcceptance extends Omit<Acceptance, 'idempotency'> {
  readonly uniqueness: Uniqueness;
  /** No new job may be made of it at present: only what answers for its key already counts. */
  readonly knownOnly?: boolean | undefined;
}

/** What became of it. */
export type UniquelyAccepted =
  | Exclude<Accepted, { readonly kind: 'conflict' }>
  /** The job that waits has this payload now. */
  | { readonly kind: 'replaced'; readonly id: string }
  /** Nothing answers for the key, and no new job may be made. */
  | { readonly kind: 'refused' };

/** How to accept jobs. */
export interface AcceptOptions {
  /** Leave the messages to the caller, who publishes them at once, for so long: relays skip them. Default 0. */
  readonly leaseMs?: number | undefined;
}

/** Messages that are committed, to be published by whoever leases them. */
export interface Outbox {
  /**
   * Commits jobs, each visible to readers from then on; many at once are one statement. Answers are in the order of
   * the jobs. A job whose id waits already is accepted again without being sent twice.
   */
  accept(jobs: readonly Acceptance[], options?: AcceptOptions): Promise<readonly Accepted[]>;
  /**
   * Takes messages that are due, oldest first, for `leaseMs`; another relay skips them meanwhile. Their bodies together have at
   * most `maxBytes`, default 64 MiB, or it is one message.
   */
  lease(options: {
    owner: string;
    limit: number;
    maxBytes?: number | undefined;
    leaseMs: number;
  }): Promise<readonly LeasedOutboxMessage[]>;
  /** The broker has them. */
  done(ids: readonly string[]): Promise<void>;
  /** Not published, or not known: due again after `delayMs`. */
  putBack(ids: readonly string[], options: { delayMs: number; problem: string }): Promise<void>;
  /** Those that wait on purpose do not count before their time. */
  pending(): Promise<{ count: number; oldestAtMs?: number | undefined }>;
}

/** The part of the outbox that knows which requests are one job. */
export interface UniqueOutbox {
  /**
   * As `Outbox.accept`, for jobs with keys: of several with the same key at most one is made, whoever comes with it and however
   * many at once. What waits on purpose is left to relays once its wait is over, whatever `leaseMs` is.
   */
  acceptUnique(
    jobs: readonly UniqueAcceptance[],
    options?: AcceptOptions,
  ): Promise<readonly UniquelyAccepted[]>;
  /** What `Outbox.accept` would answer to a key that came before; undefined for one that is new. Nothing is written. */
  findKey(
    idempotency: NonNullable<Acceptance['idempotency']>,
  ): Promise<Extract<Accepted, { readonly kind: 'duplicate' | 'conflict' }> | undefined>;
  /** The job that waits is to be left as it is: a later request with its key makes another. */
  endReplacing(id: string): Promise<void>;
}

/** Whether a job's work may be done now. */
export type Claim =
  /** `token` grows with each claim: pass it on to fence off those that were given up. */
  | { readonly kind: 'claimed'; readonly token: number }
  | { readonly kind: 'busy'; readonly leaseEndsAtMs: number }
  | { readonly kind: 'done'; readonly result: unknown };

/** At most one run of a job at a time, and none after it succeeded. */
export interface Claims {
  claim(job: { queue: string; id: string; owner: string; leaseMs: number }): Promise<Claim>;
  /** False when the claim was lost to another. */
  renew(job: { queue: string; id: string; token: number; leaseMs: number }): Promise<boolean>;
  /** Keeps the result, so that no later run does the work. False when the claim was lost. */
  complete(job: { queue: string; id: string; token: number; result: unknown }): Promise<boolean>;
  release(job: { queue: string; id: string; token: number }): Promise<void>;
}

/** What is asked for one key of one limit. A key comes once in a call. */
export interface LimitRequest {
  readonly name: string;
  readonly key: string;
  /** From one start to the next. */
  readonly intervalMs: number;
  /** Starts that may come at once after a rest. */
  readonly burst: number;
  /** Starts that are wanted now. */
  readonly wanted: number;
  /** Jobs that are to come back when it may be their turn. */
  readonly putOff: number;
  /** Nothing is put off for longer. */
  readonly maxPutOffMs: number;
}

/** All times are from now on, by the database's clock. */
export interface LimitAnswer {
  /** Up to `wanted`. */
  readonly granted: number;
  /** Still to be had now. */
  readonly left: number;
  /** Until the next one is to be had; 0 where some are left. */
  readonly freeInMs: number;
  /** When it may be the turn of the first that was put off; of each further one an interval later. */
  readonly putOffInMs: number;
  /** Now: ms since 1970, not a whole number. */
  readonly atMs: number;
}

/** Limits that all processes share. */
export interface StoredLimits {
  /** Many keys at once are one statement. Answers are in the order of the requests. */
  ask(requests: readonly LimitRequest[]): Promise<readonly LimitAnswer[]>;
}

/** Forgets what is older than so many milliseconds, by the database's clock; at most `limit`. Each returns how many. */
export interface Retention {
  /** Those whose job is not known to be under way, nor to have ended since then: afterwards the same key makes a new job. */
  idempotencyKeys(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** Those that ended, or were given up, before then: afterwards the same job would run again, with tokens from 1. */
  claims(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** Those whose time is over. */
  uniqueKeys(options: { limit: number }): Promise<number>;
  /** Keys of limits that have been as if they had never been used since then. */
  limits(options: { olderThanMs: number; limit: number }): Promise<number>;
  /** Checkpoints of long jobs that did not come back from the broker since then. */
  checkpoints(options: { olderThanMs: number; limit: number }): Promise<number>;
}

/** Something that was done on purpose. `details` is any JSON. */
export interface AuditRecord {
  readonly atMs: number;
  readonly actor: string;
  readonly action: string;
  readonly details: unknown;
}

/** Remembers who did what. */
export interface Audit {
  write(entry: { actor: string; action: string; details?: unknown }): Promise<void>;
  /**
   * Newest first.
   * @throws CursorInvalidError
   */
  list(page: { limit: number; cursor?: string | undefined }): Promise<Page<AuditRecord>>;
}

/** A lock by which one of several processes does something. */
export interface StoreLock {
  /** Aborted when the lock was lost: somebody else may have it. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** What an installation remembers beside the broker. */
export interface Store {
  /** `embedded`: PGlite, in this process, on disk but without fsync. */
  readonly kind: 'postgres' | 'embedded';
  readonly jobs: JobReader;
  readonly projection: Projection;
  readonly outbox: Outbox & UniqueOutbox;
  readonly claims: Claims;
  readonly limits: StoredLimits;
  readonly leases: Leases;
  readonly retention: Retention;
  readonly audit: Audit;
  /** Undefined while another holds it. It is free again when its holder dies. */
  tryLock(name: string): Promise<StoreLock | undefined>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
