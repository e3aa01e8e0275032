import { type LogSink, parseLogLine, redactLogLine } from '@warren/telemetry';
import type { Identified } from './identified.ts';
import type { JobHistory } from './job-history.ts';
import { toLogEntry } from './log-entry.ts';
import type { Redact } from './personal-data.ts';
import { ProgressMeter } from './progress-meter.ts';

/** Lines of one run that are kept; one more says that there were others. */
export const MAX_LINES = 1_000;

const asItIs: Redact = (text) => text;

/**
 * What a handler says while it runs: lines and progress, within bounds; its personal data is hidden there, and in the
 * process's own log. Whatever was started under the handler may hold on to it for as long as the process lives, so that it lets
 * go of everything at its end.
 */
export class RunJournal implements LogSink {
  #history: JobHistory | undefined;
  #job: Identified | undefined;
  readonly #run: string;
  #redact: Redact;
  #lines = 0;
  #meter: ProgressMeter | undefined;

  /** @param history undefined where none is kept */
  constructor(
    history: JobHistory | undefined,
    job: Identified,
    run: string,
    redact: Redact = asItIs,
  ) {
    this.#history = history;
    this.#job = job;
    this.#run = run;
    this.#redact = redact;
  }

  take(line: string): void {
    if (!this.#history || !this.#job || this.#lines > MAX_LINES) return;
    this.#lines += 1;
    const { level, message, fields } =
      this.#lines > MAX_LINES
        ? ({ level: 'warn', message: `[cut: more than ${MAX_LINES} lines]`, fields: {} } as const)
        : parseLogLine(line);
    const entry = toLogEntry({ level, message, fields }, this.#lines, this.#redact);
    this.#history.log(this.#job, this.#run, entry);
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
    this.#job = undefined;
    this.#redact = asItIs;
  }

  #tell(fraction: number, message: string | undefined): void {
    if (!this.#history || !this.#job) return;
    this.#history.progress(this.#job, this.#run, fraction, message && this.#redact(message));
  }
}

/** What listens to a run; undefined where nobody is told what it says, and nothing in it is to be hidden. */
export function journalOf(
  history: JobHistory | undefined,
  job: Identified,
  run: string,
  redact: Redact | undefined,
): RunJournal | undefined {
  return history || redact ? new RunJournal(history, job, run, redact) : undefined;
}
