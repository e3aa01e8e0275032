import type { Job } from '@warren/contracts';

/** One run of a handler. */
export interface SeenRun {
  readonly job: Job;
  readonly atMs: number;
}

/** The handler runs that a test has seen, in their order. */
export class Runs {
  readonly all: SeenRun[] = [];
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  add(job: Job): void {
    this.all.push({ job, atMs: Date.now() });
    for (const { count, resolve } of this.#waiting) if (this.all.length >= count) resolve();
  }

  get count(): number {
    return this.all.length;
  }

  /** The payloads, in the order of their runs. */
  get payloads(): unknown[] {
    return this.all.map(({ job }) => job.payload);
  }

  of(id: string): SeenRun[] {
    return this.all.filter(({ job }) => job.id === id);
  }

  attemptsOf(id: string): number[] {
    return this.of(id).map(({ job }) => job.attempt);
  }

  /** Resolves when there were `count` runs; rejects after `withinMs`, saying how many there were. */
  async reach(count: number, withinMs = 20_000): Promise<void> {
    if (this.count >= count) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${this.count} of ${count} runs within ${withinMs} ms`)),
        withinMs,
      );
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push({ count, resolve: done });
    });
  }
}
