import type { Exit, WorkerChild } from './worker-child.ts';

/** A process that can be started again. */
interface Restartable {
  readonly exited: Promise<Exit>;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<Exit>;
}

/** Keeps a worker process running, as an init system does: whenever it ends it is started again. */
export class Supervisor<Child extends Restartable = WorkerChild> {
  readonly #start: () => Child;
  readonly #exits: Exit[] = [];
  #child: Child;
  #stopped = false;
  #running: Promise<void>;

  constructor(start: () => Child) {
    this.#start = start;
    this.#child = start();
    this.#running = this.#keepRunning();
  }

  /** The process that runs now. */
  get child(): Child {
    return this.#child;
  }

  /** How the processes before this one ended. */
  get exits(): readonly Exit[] {
    return this.#exits;
  }

  /** Stops the current process cleanly, or kills it; no other is started. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#stopped = true;
    await this.#child.end(signal);
    await this.#running;
  }

  async #keepRunning(): Promise<void> {
    for (;;) {
      this.#exits.push(await this.#child.exited);
      if (this.#stopped) return;
      this.#child = this.#start();
    }
  }
}
