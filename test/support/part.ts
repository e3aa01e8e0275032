import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { eventually } from '@warren/testing';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WITH_PARENT = fileURLToPath(new URL('../chaos/fixtures/end-with-parent.ts', import.meta.url));
const READY_WITHIN_MS = 120_000;

/** How to run a part of the product. */
export interface PartOptions {
  readonly name: string;
  /** Path of its program from the repository's root. */
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  /** Takes what it logs. */
  readonly logFile: string;
  /** Takes its stdout by lines; without it that is logged. */
  onLine?(line: string): void;
  isReady(): Promise<boolean> | boolean;
}

/** A part of the product as a process that is killed and started again. It ends at the latest with this process. */
export class Part {
  readonly #options: PartOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | undefined;
  #closed: Promise<void> = Promise.resolve();
  #starts = 0;
  #crashes = 0;
  #isKilled = false;

  constructor(options: PartOptions) {
    this.#options = options;
    this.#log = createWriteStream(options.logFile);
  }

  /** Times that it ended without being asked to. */
  get crashes(): number {
    return this.#crashes;
  }

  start(): void {
    const { program, env, onLine } = this.#options;
    const { PATH, HOME } = process.env;
    this.#starts += 1;
    this.#isKilled = false;
    const child = spawn(process.execPath, ['--import', 'tsx', '--import', WITH_PARENT, program], {
      cwd: ROOT,
      env: { PATH, HOME, LIFE: `p${this.#starts}`, ...env },
      stdio: 'pipe',
    });
    this.#child = child;
    child.stderr.pipe(this.#log, { end: false });
    if (onLine) createInterface({ input: child.stdout }).on('line', onLine);
    else child.stdout.pipe(this.#log, { end: false });
    // `close`, not `exit`: only then has everything been read.
    this.#closed = new Promise((resolve) => {
      child.once('close', () => {
        if (!this.#isKilled) this.#crashes += 1;
        resolve();
      });
    });
  }

  /** Resolves when it can do its work; rejects when it has ended, or takes too long. */
  async whenReady(): Promise<void> {
    const { name, isReady } = this.#options;
    const ended = this.#closed.then(() => {
      throw new Error(`${name} ended before it was ready`);
    });
    const ready = eventually(`${name} is ready`, isReady, READY_WITHIN_MS);
    await Promise.race([ready, ended]);
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    this.#child?.kill('SIGKILL');
    await this.#closed;
  }
}
