import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../fixtures/replay-process.ts', import.meta.url));

/** A process that replays. */
export class Replayer {
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown[]>;
  #stdout = '';
  #stderr = '';

  constructor(env: Readonly<Record<string, string>>) {
    this.#child = spawn(process.execPath, ['--import', 'tsx', PROGRAM], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.#child.stdout?.on('data', (part) => {
      this.#stdout += String(part);
    });
    this.#child.stderr?.on('data', (part) => {
      this.#stderr += String(part);
    });
    this.#closed = once(this.#child, 'close');
  }

  /** It has the queue to itself, and the ledger knows. */
  get hasBegun(): boolean {
    return this.#stdout.includes('begun\n');
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null;
  }

  /** kill -9. False when it had come to its end before. */
  async kill(): Promise<boolean> {
    this.#child.kill('SIGKILL');
    const [, signal] = await this.#closed;
    return signal === 'SIGKILL';
  }

  /** What it reports at its end. @throws Error with what it wrote when it fails */
  async report(): Promise<Record<string, unknown>> {
    const [code] = await this.#closed;
    if (code !== 0) throw new Error(`the replayer ended with ${code}: ${this.#stderr}`);
    return JSON.parse(this.#stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
  }
}
