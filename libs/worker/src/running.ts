import type { CancelRequest } from '@warren/contracts';
import { isCancelled, JobCancelledError } from '@warren/contracts';
import type { RunContext } from './run-context.ts';

interface Running {
  readonly run: string;
  readonly startedAtMs: number;
}

/** Handlers at work whose jobs are not settled yet, in the order of their starts. */
export class RunningHandlers {
  readonly #running = new Map<RunContext, Running>();

  get count(): number {
    return this.#running.size;
  }

  /** When the oldest started, ms since 1970; undefined when none runs. */
  get oldestStartMs(): number | undefined {
    return this.#running.values().next().value?.startedAtMs;
  }

  /** Ids of the runs. */
  get runs(): string[] {
    return [...this.#running.values()].map(({ run }) => run);
  }

  add(context: RunContext, running: Running): void {
    this.#running.set(context, running);
  }

  delete(context: RunContext): void {
    this.#running.delete(context);
  }

  /** Asks every handler to stop. */
  abortAll(reason: Error): void {
    for (const context of this.#running.keys()) context.abort(reason);
  }

  /** Has every job settled without waiting for its handler. */
  giveUpAll(): void {
    for (const context of this.#running.keys()) context.giveUp();
  }

  /** Asks the handlers of a job to stop. `queue` is the job type or subscriber that all of these work for. */
  cancel(request: CancelRequest, queue: string): void {
    for (const context of this.#running.keys()) {
      const { id, type, generation } = context.job;
      if (id !== request.id || !isCancelled(request, { queue, generation })) continue;
      context.abort(new JobCancelledError(type, request.by));
    }
  }
}
