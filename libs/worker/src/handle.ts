import type { BreakerOptions } from '@warren/breaker';
import type {
  AdaptiveConcurrency,
  Job,
  JobDefinition,
  Lane,
  LimitOptions,
  LimitRate,
  PayloadDefinition,
  PayloadOutput,
} from '@warren/contracts';
import type { Logger } from '@warren/telemetry';

/** What a handler gets besides the job. */
export interface JobContext {
  /**
   * Aborted when the handler should stop: over its timeout, job cancelled, delivery, claim or lease lost, process shutting down.
   * Its `reason` is the error that says which. Pass it on to whatever takes an AbortSignal.
   */
  readonly signal: AbortSignal;
  /** Lines carry the job's id, type, attempt and queue. They are part of the job's own log, where a history is kept. */
  readonly log: Logger;
  /**
   * Tells how far the work is, from 0 to 1, and what is being done. Call it as often as you like: it is told at most every
   * 100 ms, the last always.
   * @throws ConfigInvalidError naming `progress`
   */
  progress(fraction: number, message?: string): void;
  /**
   * A circuit breaker of this worker, for calls inside a handler; with a key, its circuit for that key, such as a host.
   * Not for what is guarded by the breaker around the handler already.
   */
  breaker(name: string, key?: string): CallBreaker;
  /**
   * For job types with `long`: the last state that a run of this job kept with `checkpoint`, in this attempt or an earlier one,
   * as JSON has it. Undefined where there is none, and after a replay.
   */
  readonly lastCheckpoint: unknown;
  /**
   * For job types with `long`: keeps a state, up to 256 KiB of JSON, from which a later run can go on. Resolves when it, or
   * one that came after it, is stored; while the store is away that is when it is back.
   * @throws ConfigInvalidError naming `checkpoint`; LeaseLostError, and then another run may have begun
   */
  checkpoint(state: unknown): Promise<void>;
  /** Set for job types with `once`. */
  readonly once?: OnceContext | undefined;
}

/** Makes calls through a circuit breaker. */
export interface CallBreaker {
  /**
   * Makes a call with a signal of its own, and counts what becomes of it. Resolves or rejects once the call has ended.
   * @throws CircuitOpenError where the circuit is open, or was opened by this failure: let it through, and the job comes back
   * later, unspent; CallTimeoutError; ConfigInvalidError where there is no such breaker; else what the call threw
   */
  fire<Result>(call: (signal: AbortSignal) => Result | Promise<Result>): Promise<Result>;
}

/** What a handler of a job that runs once only may need. */
export interface OnceContext {
  /** Grows with each claim of the job. Whoever keeps the highest that he saw can refuse the writes of a run that was given up. */
  readonly token: number;
}

/**
 * Does the work. Returning (or resolving) means done; throwing means the attempt failed. `NonRetryableError`,
 * `RetryAfterError` and `SnoozeError` say more. It may run twice for one job: pass `job.id` on as an idempotency key.
 */
export type JobHandler<Definition extends JobDefinition> = (
  job: Job<PayloadOutput<Definition>>,
  context: JobContext,
) => unknown;

/** The circuit breaker around a handler. Its circuits are shared by all handlers of the worker that name it. */
export interface HandlerBreaker<Payload = unknown> extends BreakerOptions {
  name: string;
  /** Gives each key a circuit of its own, such as each host. Jobs of one that is open come back later; others go on. */
  key?(job: Job<Payload>): string;
}

/** How often a handler may start; what is left out is as the definition says. */
export interface HandlerLimit<Payload = unknown> extends Partial<LimitOptions> {
  /** Gives each key a limit of its own, such as each tenant. Jobs over that of one wait, others go on. Goes before `by`. */
  key?(job: Job<Payload>): string;
  /** The limit of a key, where it is another one; asked often. What `rates` says of a key goes before it. */
  limitFor?(key: string): LimitRate | undefined;
  /** Name of the setting that `rate` comes from, for whoever looks at limits. Default: none, it is from the code. */
  setting?: string;
}

/** So many jobs of each key may run at once. More of them wait, and those of others go on. */
export interface KeyConcurrency<Payload = unknown> {
  /** From 1 to 10,000. */
  readonly max: number;
  /** A path in the payload, or `header:` and the name of a header. */
  readonly by?: string;
  /** Any function of the job. Goes before `by`. */
  key?(job: Job<Payload>): string;
}

/** What a process may set for a handler, over the job definition. */
export interface HandleOptions<Payload = unknown> {
  /** Handlers that may run at once in this process, or within what that is to be found out. */
  readonly concurrency?: number | AdaptiveConcurrency | undefined;
  /** Unsettled deliveries the broker may have out to this process, of each lane. Default: from 1 to 10 × concurrency, by speed. */
  readonly prefetch?: number | undefined;
  /**
   * For job types with lanes: of how many starts each lane gets how many, while all have work, from 1 to 1,000. Default
   * `{ high: 6, normal: 3, low: 1 }`.
   */
  readonly laneWeights?: Partial<Record<Lane, number>> | undefined;
  /** The circuit breaker around the handler, or its name. */
  readonly breaker?: string | HandlerBreaker<Payload> | undefined;
  /** How often the handler may start, over what the definition says of it. */
  readonly limit?: HandlerLimit<Payload> | undefined;
  /** How many jobs of one key may run at once in this process, of all lanes together: a slow one does not take all slots. */
  readonly keyConcurrency?: KeyConcurrency<Payload> | undefined;
  /** As in the definition, or a function of the job. */
  readonly fairBy?: string | ((job: Job<Payload>) => string) | undefined;
}

/** A job type with its handler, for `createWorker`. */
export interface HandlerRegistration {
  readonly definition: JobDefinition;
  readonly run: (job: Job, context: JobContext) => unknown;
  readonly options: HandleOptions;
  /** Set where the queue holds events: `definition` then says how the subscriber runs, not what its payloads are. */
  readonly subscription?: Subscription;
}

/** Which events a subscriber reads. */
export interface Subscription {
  readonly patterns: readonly string[];
  /** What is known of an event by its name; a payload of an unknown one is handed on unchecked. */
  readonly eventOf: (type: string) => PayloadDefinition | undefined;
}

/** Ties a handler to its job type; the payload's type is inferred from the schema. */
export function handle<Definition extends JobDefinition>(
  definition: Definition,
  handler: JobHandler<Definition>,
  options: HandleOptions<PayloadOutput<Definition>> = {},
): HandlerRegistration {
  return {
    definition,
    // The payload was checked against this very definition's schema before.
    run: (job, context) => handler(job as Job<PayloadOutput<Definition>>, context),
    options,
  };
}
