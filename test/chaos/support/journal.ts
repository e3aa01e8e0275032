import type { Report } from '../fixtures/worker-report.ts';
import { Bell } from './bell.ts';

/** The runs of one job, over all processes. */
export interface Runs {
  readonly started: number;
  readonly ended: number;
}

const NO_RUNS: Runs = { started: 0, ended: 0 };

/** The side effects of all worker processes of a test: it lives on when they die. */
export class Journal extends Bell {
  readonly #runs = new Map<string, Runs>();
  readonly #queues = new Set<string>();
  #highestAttempt = 0;

  record({ event, id, attempt, queue }: Report): void {
    const runs = this.of(id);
    this.#runs.set(id, { ...runs, [event]: runs[event] + 1 });
    this.#highestAttempt = Math.max(this.#highestAttempt, attempt);
    this.#queues.add(queue);
    this.ring();
  }

  of(id: string): Runs {
    return this.#runs.get(id) ?? NO_RUNS;
  }

  /** Handler runs begun, over all jobs. */
  get started(): number {
    return [...this.#runs.values()].reduce((sum, { started }) => sum + started, 0);
  }

  get highestAttempt(): number {
    return this.#highestAttempt;
  }

  /** Queues that jobs were run from. */
  get queues(): readonly string[] {
    return [...this.#queues];
  }

  /** Those of `ids` that no run of has ended. */
  missing(ids: readonly string[]): string[] {
    return ids.filter((id) => this.of(id).ended === 0);
  }

  async untilDone(ids: readonly string[], withinMs: number): Promise<void> {
    await this.until(
      `a run of each of ${ids.length} jobs has ended`,
      () => ids.every((id) => this.of(id).ended > 0),
      withinMs,
    );
  }
}
