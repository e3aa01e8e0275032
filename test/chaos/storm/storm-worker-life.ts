import { type ChildProcess, spawn } from 'node:child_process';
import type { WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { StormLine, StormWorkerOptions } from '../fixtures/storm-job.ts';
import { Bell } from '../support/bell.ts';

const PROGRAM = fileURLToPath(new URL('../fixtures/storm-worker.ts', import.meta.url));
const WITH_PARENT = fileURLToPath(new URL('../fixtures/end-with-parent.ts', import.meta.url));

/** One life of a worker process; it ends at the latest with this process. */
export class StormWorkerLife extends Bell {
  readonly name: string;
  /** How it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly #child: ChildProcess;
  #isReady = false;

  constructor(
    name: string,
    options: StormWorkerOptions,
    onLine: (line: StormLine) => void,
    log: WriteStream,
  ) {
    super();
    this.name = name;
    const args = ['--import', 'tsx', '--import', WITH_PARENT, PROGRAM, JSON.stringify(options)];
    const child = spawn(process.execPath, args, { stdio: 'pipe' });
    this.#child = child;
    child.stderr.pipe(log, { end: false });
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as StormLine;
      if (line.event === 'ready') {
        this.#isReady = true;
        this.ring();
      } else onLine(line);
    });
    // `close`, not `exit`: only then has everything been read.
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves when it consumes. */
  whenReady(withinMs: number): Promise<void> {
    return this.until(`${this.name} consumes`, () => this.#isReady, withinMs);
  }

  end(signal: 'SIGTERM' | 'SIGKILL'): typeof this.ended {
    this.#child.kill(signal);
    return this.ended;
  }
}
