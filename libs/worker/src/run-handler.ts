import {
  ClaimLostError,
  type Job,
  JobCancelledError,
  JobTimeoutError,
  LeaseLostError,
} from '@warren/contracts';
import type { Outcome } from '@warren/retry';
import { captureLogs } from '@warren/telemetry';
import type { HandlerRegistration } from './handle.ts';
import type { RunContext } from './run-context.ts';

/** The handler is not waited for until its timeout where the job is ended, or somebody else's. */
const GIVE_GRACE = [JobCancelledError, ClaimLostError, LeaseLostError];

/** A run that has an outcome. `ended` tells when the handler itself is over, which may be later. */
export interface Run {
  readonly outcome: Outcome;
  /** Undefined when it is over already. */
  readonly ended: Promise<void> | undefined;
}

/**
 * Runs a handler to its outcome: it returned, it threw, or it ran over its timeout (or was cancelled) and the grace after
 * that. Never rejects. A handler that ends well within the grace has done its work, so that counts as succeeded.
 */
export function runHandler(
  registration: HandlerRegistration,
  job: Job,
  context: RunContext,
): Promise<Run> {
  return new Promise((resolve) => {
    new HandlerRun(context, registration.definition.cancelGraceMs, resolve).start(
      registration,
      job,
    );
  });
}

/** Methods, not functions within a function: `tsx` gives each of those its name anew, which took a microsecond per job. */
class HandlerRun {
  readonly #context: RunContext;
  readonly #cancelGraceMs: number;
  readonly #resolve: (run: Run) => void;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isDecided = false;

  constructor(context: RunContext, cancelGraceMs: number, resolve: (run: Run) => void) {
    this.#context = context;
    this.#cancelGraceMs = cancelGraceMs;
    this.#resolve = resolve;
  }

  start(registration: HandlerRegistration, job: Job): void {
    const context = this.#context;
    const { timeoutMs } = registration.definition;
    this.#timer = setTimeout(() => {
      context.abort(new JobTimeoutError(job.type, timeoutMs));
      this.#giveGrace();
    }, timeoutMs);
    context.onAbort((reason) => {
      if (GIVE_GRACE.some((kind) => reason instanceof kind)) this.#giveGrace();
    });
    context.onGiveUp(() => this.#decide(interrupted(context), this.#running));
    // Last: a handler that throws at once is decided before this returns.
    this.#running = this.#run(registration, job);
  }

  async #run(registration: HandlerRegistration, job: Job): Promise<void> {
    let outcome: Outcome;
    try {
      outcome = { kind: 'succeeded', result: await call(registration, job, this.#context) };
    } catch (error) {
      outcome = failure(error, this.#context);
    }
    this.#decide(outcome);
  }

  #giveGrace(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#context.giveUp(), this.#cancelGraceMs);
  }

  #decide(outcome: Outcome, ended?: Promise<void>): void {
    if (this.#isDecided) return;
    this.#isDecided = true;
    clearTimeout(this.#timer);
    this.#context.onGiveUp(undefined);
    this.#context.onAbort(undefined);
    this.#resolve({ outcome, ended });
  }
}

function call(registration: HandlerRegistration, job: Job, context: RunContext): unknown {
  const { span } = context;
  if (!span) return runLogged(registration, job, context);
  return span.run(() => runLogged(registration, job, context));
}

function runLogged(registration: HandlerRegistration, job: Job, context: RunContext): unknown {
  const { journal } = context;
  if (!journal) return registration.run(job, context);
  return captureLogs(journal, () => registration.run(job, context));
}

/** What a handler throws after its abort says only that it stopped. */
function failure(error: unknown, context: RunContext): Outcome {
  return context.abortReason ? interrupted(context) : { kind: 'failed', error };
}

function interrupted({ abortReason }: RunContext): Outcome {
  const error = abortReason ?? new Error('interrupted');
  if (error instanceof JobCancelledError) return { kind: 'withdrawn', by: error.by };
  return error instanceof JobTimeoutError
    ? { kind: 'timed-out', error }
    : { kind: 'cancelled', error };
}
