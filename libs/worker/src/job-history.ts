import type { ReceivedMessage } from '@warren/broker';
import type { DeadReason } from '@warren/contracts';
import {
  type ErrorSummary,
  type HistorySink,
  type LogLevel,
  summariseError,
} from '@warren/history';
import { type EndedRun, shownErrorOf } from './ended-run.ts';
import type { Identified } from './identified.ts';
import { encodeResult } from './run-result.ts';

/** Which jobs a history tells of, and who tells. */
export interface JobHistoryOptions {
  readonly sink: HistorySink;
  readonly worker: string;
  /** The job type or subscriber, without namespace. */
  readonly queue: string;
  /** Names the job type, or for a subscriber the event. */
  typeOf(message: ReceivedMessage): string;
}

/** One line of a job's own log. */
export interface LogEntry {
  /** From 1, in one run. */
  readonly seq: number;
  readonly level: LogLevel;
  readonly message: string;
  /** JSON text. */
  readonly fields?: string | undefined;
}

/**
 * Tells what happens to the jobs of one queue. `run` is empty outside a run. What is final returns what an ack is to be
 * held for; undefined where there is nothing to wait for.
 */
export class JobHistory {
  readonly #sink: HistorySink;
  readonly #worker: string;
  readonly #queue: string;
  readonly #typeOf: JobHistoryOptions['typeOf'];

  constructor({ sink, worker, queue, typeOf }: JobHistoryOptions) {
    this.#sink = sink;
    this.#worker = worker;
    this.#queue = queue;
    this.#typeOf = typeOf;
  }

  /** As `succeeded`, member by member: of every job, and what follows a spread takes several times as long. */
  started(job: Identified, run: string, atMs: number): void {
    const { id, generation, attempt } = job;
    this.#sink.record({
      kind: 'started',
      id,
      type: this.#typeOf(job),
      queue: this.#queue,
      atMs,
      generation,
      attempt,
      run,
      worker: this.#worker,
    });
  }

  progress(job: Identified, run: string, fraction: number, message: string | undefined): void {
    this.#sink.record({ kind: 'progress', ...this.#base(job, run), fraction, message });
  }

  log(job: Identified, run: string, entry: LogEntry): void {
    this.#sink.record({ kind: 'log', ...this.#base(job, run), ...entry });
  }

  retrying(
    job: Identified,
    run: string,
    wait: { readonly dueAtMs: number; readonly isSpent: boolean },
    ended?: EndedRun,
  ): void {
    const error = ended && summaryOf(ended);
    this.#sink.record({ kind: 'retrying', ...this.#base(job, run), ...wait, error });
  }

  interrupted(job: Identified, { run, outcome }: EndedRun): void {
    const reason = 'error' in outcome ? summariseError(outcome.error).message : 'delivery lost';
    this.#sink.record({ kind: 'interrupted', ...this.#base(job, run), reason });
  }

  succeeded(job: Identified, { run, durationMs, outcome }: EndedRun): Promise<void> | undefined {
    const returned = outcome.kind === 'succeeded' ? outcome.result : undefined;
    const { result, resultProblem } = encodeResult(returned);
    const { id, generation, attempt } = job;
    return this.#sink.recordFinal({
      kind: 'succeeded',
      id,
      type: this.#typeOf(job),
      queue: this.#queue,
      atMs: Date.now(),
      generation,
      attempt,
      run,
      durationMs,
      result,
      resultProblem,
    });
  }

  dead(
    job: Identified,
    run: string,
    reason: DeadReason,
    ended?: EndedRun,
  ): Promise<void> | undefined {
    const error = ended && summaryOf(ended);
    return this.#sink.recordFinal({ kind: 'dead', ...this.#base(job, run), reason, error });
  }

  cancelled(job: Identified, run: string, by: string | undefined): Promise<void> | undefined {
    return this.#sink.recordFinal({ kind: 'cancelled', ...this.#base(job, run), by });
  }

  expired(job: Identified): Promise<void> | undefined {
    return this.#sink.recordFinal({ kind: 'expired', ...this.#base(job, '') });
  }

  #base(job: Identified, run: string) {
    const { id, generation, attempt } = job;
    const [type, atMs] = [this.#typeOf(job), Date.now()];
    return { id, type, queue: this.#queue, atMs, generation, attempt, run };
  }
}

function summaryOf(ended: EndedRun): ErrorSummary | undefined {
  if (!('error' in ended.outcome)) return undefined;
  return summariseError(shownErrorOf(ended));
}
