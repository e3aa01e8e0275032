import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const programOf = (name: string) =>
  fileURLToPath(new URL(`../fixtures/${name}-process.ts`, import.meta.url));

/** How a child process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** One of the programs in `fixtures` as a child process, which ends at the latest with this process. */
export class ProgramChild {
  readonly exited: Promise<Exit>;
  /** What it wrote to stderr. */
  log = '';
  readonly #child: ReturnType<typeof spawn>;

  constructor(name: 'payment' | 'long', env: Record<string, string>, claimLeaseMs: number) {
    const program = [programOf(name), String(claimLeaseMs)];
    this.#child = spawn(process.execPath, ['--import', 'tsx', ...program], {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: { ...process.env, ...env },
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.log += String(chunk);
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve({ code, signal }));
    });
  }

  /** Sends a signal, and resolves with how the process ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit> {
    this.#child.kill(signal);
    return this.exited;
  }
}
