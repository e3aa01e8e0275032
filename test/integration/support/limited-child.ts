import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../fixtures/limited-process.ts', import.meta.url));

/** A start that was granted at some moment between these two. */
export interface Grant {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface LimitedRun {
  readonly id: string;
  readonly attempt: number;
  readonly atMs: number;
}

interface Message {
  readonly grant?: Grant;
  readonly run?: LimitedRun;
  readonly isStarted?: boolean;
}

/** A worker with a limit as a child process, whose clock is wrong by `skewMs`. */
export class LimitedChild {
  readonly grants: Grant[] = [];
  readonly runs: LimitedRun[] = [];
  isStarted = false;
  readonly #child: ReturnType<typeof fork>;
  readonly #exited: Promise<unknown>;

  constructor(env: Record<string, string>, skewMs: number) {
    this.#child = fork(PROGRAM, {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, ...env, SKEW_MS: String(skewMs) },
    });
    this.#exited = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.on('message', (message) => {
      const { grant, run, isStarted } = message as Message;
      if (grant) this.grants.push(grant);
      if (run) this.runs.push(run);
      if (isStarted) this.isStarted = true;
    });
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exited;
  }
}
