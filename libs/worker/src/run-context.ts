import { ConfigInvalidError, type Job } from '@warren/contracts';
import { jobLogger, type Logger, type ProcessSpan, tieLogger } from '@warren/telemetry';
import type { JobContext, OnceContext } from './handle.ts';
import type { JobLease } from './job-lease.ts';
import type { Passage } from './passage.ts';
import { checkProgress } from './progress-meter.ts';
import type { RunJournal } from './run-journal.ts';

/** What belongs to a run besides the job. */
export interface RunExtras {
  /** Undefined where no history is kept. */
  readonly journal?: RunJournal | undefined;
  readonly once?: OnceContext | undefined;
  readonly passage?: Pick<Passage, 'fire'> | undefined;
  readonly long?: Pick<JobLease, 'lastCheckpoint' | 'save'> | undefined;
  /** Undefined while spans are not collected. */
  readonly span?: ProcessSpan | undefined;
}

/** One run's context. Signal and logger are made when first asked for: most handlers need neither. */
export class RunContext implements JobContext {
  readonly job: Job;
  readonly once: OnceContext | undefined;
  readonly journal: RunJournal | undefined;
  readonly span: ProcessSpan | undefined;
  readonly #logger: Logger;
  readonly #passage: Pick<Passage, 'fire'> | undefined;
  readonly #long: RunExtras['long'];
  #controller: AbortController | undefined;
  #log: Logger | undefined;
  #abortReason: Error | undefined;
  #aborted: ((reason: Error) => void) | undefined;
  #giveUp: (() => void) | undefined;

  constructor(job: Job, logger: Logger, { journal, once, passage, long, span }: RunExtras = {}) {
    this.job = job;
    this.#logger = logger;
    this.journal = journal;
    this.span = span;
    this.once = once;
    this.#passage = passage;
    this.#long = long;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#abortReason) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get log(): Logger {
    const { id, type, attempt, queue } = this.job;
    if (this.#log) return this.#log;
    const { span } = this;
    this.#log = jobLogger(this.#logger, { jobId: id, jobType: type, attempt, queue, span });
    if (this.journal) tieLogger(this.#log, this.journal);
    return this.#log;
  }

  get breaker(): JobContext['breaker'] {
    return (name, key) => ({
      fire: async (call) => {
        if (!this.#passage) throw new ConfigInvalidError('breaker', `there is no ${name} here`);
        return this.#passage.fire(name, key, call, this.signal);
      },
    });
  }

  get progress(): JobContext['progress'] {
    return (fraction, message) => {
      const text = checkProgress(fraction, message);
      this.journal?.progress(fraction, text);
    };
  }

  get lastCheckpoint(): unknown {
    return this.#long?.lastCheckpoint;
  }

  get checkpoint(): JobContext['checkpoint'] {
    return async (state) => {
      if (!this.#long)
        throw new ConfigInvalidError('checkpoint', 'the job type needs `long: true`');
      await this.#long.save(state);
    };
  }

  /** Why the handler was asked to stop; undefined while it was not. */
  get abortReason(): Error | undefined {
    return this.#abortReason;
  }

  /** Asks the handler to stop. The first reason stands. */
  abort(reason: Error): void {
    if (this.#abortReason) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    this.#aborted?.(reason);
  }

  /** Who is told that the handler was asked to stop, and why. */
  onAbort(listener: ((reason: Error) => void) | undefined): void {
    this.#aborted = listener;
  }

  /** Who is told when waiting for the handler is given up. */
  onGiveUp(listener: (() => void) | undefined): void {
    this.#giveUp = listener;
  }

  /** The handler has had its chance to stop: its run is settled without it. */
  giveUp(): void {
    this.#giveUp?.();
  }
}
