import type { CancelRequest } from '@warren/contracts';
import { isCancelled, JobCancelledError, type Linked, LinkedSet } from '@warren/contracts';
import type { RunContext } from './run-context.ts';

/** A handler at work. */
export class RunningHandler implements Linked<RunningHandler> {
  readonly context: RunContext;
  readonly run: string;
  readonly startedAtMs: number;
  before: RunningHandler | undefined = undefined;
  after: RunningHandler | undefined = undefined;

  constructor(context: RunContext, run: string, startedAtMs: number) {
    this.context = context;
    this.run = run;
    this.startedAtMs = startedAtMs;
  }
}

/** Handlers at work whose jobs are not settled yet, in the order of their starts. */
export class RunningHandlers {
  readonly #running = new LinkedSet<RunningHandler>();

  get count(): number {
    return this.#running.size;
  }

  /** When the oldest started, ms since 1970; undefined when none runs. */
  get oldestStartMs(): number | undefined {
    return this.#running.first?.startedAtMs;
  }

  /** Ids of the runs. */
  get runs(): string[] {
    return [...this.#running].map(({ run }) => run);
  }

  add(running: RunningHandler): void {
    this.#running.add(running);
  }

  delete(running: RunningHandler): void {
    this.#running.delete(running);
  }

  /** Asks every handler to stop. */
  abortAll(reason: Error): void {
    for (const { context } of this.#running) context.abort(reason);
  }

  /** Has every job settled without waiting for its handler. */
  giveUpAll(): void {
    for (const { context } of this.#running) context.giveUp();
  }

  /** Asks the handlers of a job to stop. `queue` is the job type or subscriber that all of these work for. */
  cancel(request: CancelRequest, queue: string): void {
    for (const { context } of this.#running) {
      const { id, type, generation } = context.job;
      if (id !== request.id || !isCancelled(request, { queue, generation })) continue;
      context.abort(new JobCancelledError(type, request.by));
    }
  }
}
