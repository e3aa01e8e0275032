import type { Job, Redact } from '@warren/contracts';
import {
  type JobFields,
  jobFields,
  type LogSink,
  parseLogLine,
  redactLogLine,
} from '@warren/telemetry';
import type { Identified } from './identified.ts';
import type { JobHistory } from './job-history.ts';
import { toLogEntry } from './log-entry.ts';
import { ProgressMeter } from './progress-meter.ts';

/** Lines of one run that are kept; one more says that there were others. */
export const MAX_LINES = 1_000;

const asItIs: Redact = (text) => text;

/** What a journal is made of. */
export interface JournalParts {
  /** Undefined where none is kept. */
  readonly history: JobHistory | undefined;
  readonly message: Identified;
  readonly job: Pick<Job, 'id' | 'type' | 'attempt' | 'queue'>;
  readonly run: string;
  readonly redact?: Redact | undefined;
}

/**
 * What a handler says while it runs: lines and progress, within bounds; its personal data is hidden there, and in the
 * process's own log. Whatever was started under the handler may hold on to it for as long as the process lives, so that it lets
 * go of everything at its end.
 */
export class RunJournal implements LogSink {
  #history: JobHistory | undefined;
  #message: Identified | undefined;
  readonly #run: string;
  /** Stays: a handler that outlasts its run logs on. */
  readonly job: JobFields;
  /** What became of a job is not to depend on how much its process writes. */
  readonly level: 'info' | undefined;
  #redact: Redact;
  #lines = 0;
  #meter: ProgressMeter | undefined;

  constructor({ history, message, job, run, redact = asItIs }: JournalParts) {
    this.#history = history;
    this.#message = message;
    this.level = history && 'info';
    this.job = jobFields({
      jobId: job.id,
      jobType: job.type,
      attempt: job.attempt,
      queue: job.queue,
    });
    this.#run = run;
    this.#redact = redact;
  }

  take(line: string): void {
    if (!this.#history || !this.#message || this.#lines > MAX_LINES) return;
    this.#lines += 1;
    const { level, message, fields } =
      this.#lines > MAX_LINES
        ? ({ level: 'warn', message: `[cut: more than ${MAX_LINES} lines]`, fields: {} } as const)
        : parseLogLine(line);
    const entry = toLogEntry({ level, message, fields }, this.#lines, this.#redact);
    this.#history.log(this.#message, this.#run, entry);
  }

  /** The line as the process's own log has it. */
  show(line: string): string {
    return this.#redact === asItIs ? line : redactLogLine(line, this.#redact);
  }

  progress(fraction: number, message: string | undefined): void {
    if (!this.#history) return;
    this.#meter ??= new ProgressMeter((last, text) => this.#tell(last, text));
    this.#meter.report(fraction, message);
  }

  /** The run is over: what is left is told, and nothing that comes later. */
  end(): void {
    this.#meter?.end();
    this.#history = undefined;
    this.#message = undefined;
    this.#redact = asItIs;
  }

  #tell(fraction: number, message: string | undefined): void {
    if (!this.#history || !this.#message) return;
    this.#history.progress(this.#message, this.#run, fraction, message && this.#redact(message));
  }
}

/**
 * What listens to a run, and tells whose its lines are. Undefined where nobody is told what it says, nothing in it is to be
 * hidden and no trace leads through it: to be found by whatever the handler starts, a journal needs the process to follow each
 * promise, a fifth of an empty job's time.
 */
export function journalOf(
  parts: JournalParts & { readonly isTraced: boolean },
): RunJournal | undefined {
  const { history, redact, isTraced } = parts;
  return history || redact || isTraced ? new RunJournal(parts) : undefined;
}
