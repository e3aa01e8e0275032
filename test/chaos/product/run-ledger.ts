import type { RunLine } from '../fixtures/product-jobs.ts';
import type { PlannedJob } from './plan.ts';

/** One run of a handler, as it told itself. */
interface SeenRun {
  readonly name: string;
  readonly attempt: number;
  readonly hasEffect: boolean;
  readonly ended?: 'succeeded' | 'failed';
}

/** What the store says about a job. */
export interface StoredEnd {
  readonly state: string;
  /** Name of the run whose result is kept. */
  readonly resultOf: string | undefined;
}

const processOf = (run: string) => run.split('.')[0];

/** What handlers did, by their own account: it outlives their processes. */
export class RunLedger {
  readonly #runs = new Map<string, Map<string, SeenRun>>();
  #lines = 0;

  /** Lines so far. */
  get lines(): number {
    return this.#lines;
  }

  record({ event, id, attempt, run: name }: RunLine): void {
    this.#lines += 1;
    const runs = this.#runs.get(id) ?? new Map<string, SeenRun>();
    this.#runs.set(id, runs);
    const before = runs.get(name) ?? { name, attempt, hasEffect: false };
    if (event === 'started') runs.set(name, before);
    else if (event === 'effect') runs.set(name, { ...before, hasEffect: true });
    else runs.set(name, { ...before, ended: event });
  }

  #of(id: string): SeenRun[] {
    return [...(this.#runs.get(id)?.values() ?? [])];
  }

  /** Runs that did again what had been done: beyond one for each attempt. */
  get duplicated(): number {
    let count = 0;
    for (const runs of this.#runs.values()) {
      count += runs.size - new Set([...runs.values()].map(({ attempt }) => attempt)).size;
    }
    return count;
  }

  /** Attempts that were counted without a failure of the one before. */
  get attemptsSpentByFaults(): number {
    let count = 0;
    for (const id of this.#runs.keys()) {
      const runs = this.#of(id);
      const failed = new Set(runs.filter(({ ended }) => ended === 'failed').map((r) => r.attempt));
      const attempts = new Set(runs.map(({ attempt }) => attempt));
      count += [...attempts].filter((attempt) => attempt > 1 && !failed.has(attempt - 1)).length;
    }
    return count;
  }

  /** Does what the store says follow from what was done? */
  agrees({ id, isOnce }: PlannedJob, { state, resultOf }: StoredEnd): boolean {
    const runs = this.#of(id);
    if (state === 'dead') return runs.some(({ ended }) => ended === 'failed');
    const kept = runs.find(({ name }) => name === resultOf);
    return kept?.ended === 'succeeded' && (!isOnce || kept.hasEffect);
  }

  /**
   * Effects of a job that runs once, beyond the first. What a run did just before its process was killed cannot be known to
   * the next one; `unexplained` are those that no death of a process accounts for.
   */
  effectsOf(id: string): { readonly count: number; readonly unexplained: number } {
    const made = this.#of(id).filter(({ hasEffect }) => hasEffect);
    const processes = new Set(made.map(({ name }) => processOf(name)));
    return { count: made.length, unexplained: made.length - processes.size };
  }
}
