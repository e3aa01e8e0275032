import { HeardWorkers } from './heard-workers.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { LimitNews } from './limit-news.ts';

/** A limit as one worker has it. */
export interface LimitInWorker extends LimitNews {
  readonly worker: string;
}

/** The limits of all workers, by what their heartbeats tell. Bounded. */
export class LimitBoard {
  readonly #workers = new HeardWorkers<{ limits: readonly LimitNews[] }>(() => ({ limits: [] }));

  hearBeat({ worker, atMs, limits }: Heartbeat, nowMs: number): void {
    // From a version that tells nothing of limits.
    if (!limits) return;
    const known = this.#workers.hear({ worker, atMs }, nowMs);
    if (known) known.limits = limits;
  }

  /** Each limit of each worker that is not silent. */
  list(nowMs: number): readonly LimitInWorker[] {
    return this.#workers
      .list(nowMs)
      .flatMap(([worker, { limits }]) => limits.map((one) => ({ ...one, worker })));
  }
}
