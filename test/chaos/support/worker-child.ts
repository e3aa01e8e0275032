import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Report, WorkerProcessOptions } from '../fixtures/worker-report.ts';
import { Bell } from './bell.ts';
import type { Journal } from './journal.ts';

const PROGRAM = fileURLToPath(new URL('../fixtures/worker-process.ts', import.meta.url));

/** How a child process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A worker as a child process, which ends at the latest with this process. */
export class WorkerChild extends Bell {
  readonly exited: Promise<Exit>;
  /** Its log, a line each; and whatever else it wrote to stderr. */
  readonly log: string[] = [];
  readonly #child: ChildProcess;
  readonly #inHand = new Set<string>();
  #ended = 0;

  constructor(
    options: WorkerProcessOptions,
    journal: Journal,
    nodeArguments: readonly string[] = [],
  ) {
    super();
    const child = spawn(
      process.execPath,
      [...nodeArguments, '--import', 'tsx', PROGRAM, JSON.stringify(options)],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) =>
      this.#note(JSON.parse(line) as Report, journal),
    );
    createInterface({ input: child.stderr }).on('line', (line) => {
      this.log.push(line);
      this.ring();
    });
    // `close`, not `exit`: only then has everything been read.
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Handler runs that ended in this process. */
  get ended(): number {
    return this.#ended;
  }

  /** Handlers at work in this process. */
  get inHand(): number {
    return this.#inHand.size;
  }

  /** Resolves when it has a job in hand. */
  untilBusy(): Promise<void> {
    return this.until('the worker process has a job in hand', () => this.inHand > 0);
  }

  /** Sends a signal, and resolves with how the process ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit> {
    this.#child.kill(signal);
    return this.exited;
  }

  #note(report: Report, journal: Journal): void {
    if (report.event === 'started') this.#inHand.add(report.id);
    else if (this.#inHand.delete(report.id)) this.#ended += 1;
    journal.record(report);
    this.ring();
  }
}
