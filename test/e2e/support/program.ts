import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export const LOCAL = ['--import', 'tsx', 'services/local/src/main.ts'];
export const GATEWAY = ['--import', 'tsx', 'services/gateway/src/main.ts'];

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program of the product as a process of its own, and everything that it has said so far. */
export class Program {
  readonly exited: Promise<Exit>;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #listeners = new Set<() => void>();

  /** @param env all that it gets of the environment, besides PATH and HOME unless they are given */
  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const { PATH, HOME } = process.env;
    this.#child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      for (const look of this.#listeners) look();
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    // `close`, not `exit`: only then has everything been read.
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Complete lines on stdout. */
  get lines(): string[] {
    return this.stdout.split('\n').slice(0, -1);
  }

  /** Resolves with the first line on stdout that matches; rejects when the program ends without one, or too late. */
  async line(pattern: RegExp, withinMs = 60_000): Promise<string> {
    const find = () => this.lines.find((line) => pattern.test(line));
    let look: () => void = () => {};
    let timer: NodeJS.Timeout | undefined;
    const seen = new Promise<void>((resolve) => {
      look = () => find() !== undefined && resolve();
      timer = setTimeout(resolve, withinMs);
    });
    this.#listeners.add(look);
    look();
    await Promise.race([seen, this.exited]);
    clearTimeout(timer);
    this.#listeners.delete(look);
    const line = find();
    if (line !== undefined) return line;
    throw new Error(`the program did not say ${pattern}: ${this.stdout}${this.stderr}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Asks it to stop and resolves when it has ended. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.kill(signal);
    return this.exited;
  }
}
