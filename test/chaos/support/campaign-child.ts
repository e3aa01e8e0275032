import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Bell } from './bell.ts';
import type { Exit } from './worker-child.ts';

const PROGRAM = fileURLToPath(new URL('../fixtures/campaign-process.ts', import.meta.url));

/** The campaign handlers as a child process, which ends at the latest with this process. */
export class CampaignChild extends Bell {
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #counts = new Map<string, number>();

  constructor(options: { readonly url: string; readonly namespace: string }) {
    super();
    const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, JSON.stringify(options)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg } = JSON.parse(line) as { msg: string };
      this.#counts.set(msg, this.logged(msg) + 1);
      this.ring();
    });
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** How often it has logged this message. */
  logged(message: string): number {
    return this.#counts.get(message) ?? 0;
  }

  /** Resolves when it has logged this message so often. */
  untilLogged(message: string, times = 1): Promise<void> {
    return this.until(`${times} × "${message}"`, () => this.logged(message) >= times);
  }

  /** Sends a signal, and resolves with how the process ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit> {
    this.#child.kill(signal);
    return this.exited;
  }
}
