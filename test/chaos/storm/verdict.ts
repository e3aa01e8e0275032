import type { Parked } from './parked-jobs.ts';
import { isDoomed, type SeenRun, type TrackedJob } from './storm-ledger.ts';
import type { Explanation, Troubles } from './troubles.ts';

/** What a storm adds up to. */
export interface StormVerdict {
  readonly accepted: number;
  readonly succeeded: number;
  /** Given up as their handlers were told. */
  readonly dead: number;
  /** Accepted, not done, and in no queue that an operator looks into. */
  readonly lost: number;
  /** Accepted, not done yet, but still in a queue: it was not waited for long enough. */
  readonly unfinished: number;
  /** In the queue of what had no queue to go to, and not done. */
  readonly unroutable: number;
  /** At most so many were in queues when those were deleted on purpose: the deleter's own loss, not counted as lost. */
  readonly deletedWithQueue: number;
  /** Dead letters of jobs that were to succeed. */
  readonly wronglyDead: Readonly<Record<string, number>>;
  /** Handler runs that did again what had been done. */
  readonly duplicated: number;
  readonly duplicatesBy: Readonly<Partial<Record<Explanation, number>>>;
  readonly duplicatesUnexplained: number;
  readonly attemptsSpentByFaults: number;
  /** Some of the jobs that are not as they should be. */
  readonly examples: readonly string[];
}

const MAX_EXAMPLES = 10;

/** Adds up. `deleted`: how many messages went with queues that were deleted on purpose. */
export function judge(
  jobs: Iterable<TrackedJob>,
  parked: Parked,
  troubles: Troubles,
  deleted: number,
): StormVerdict {
  const count = { accepted: 0, succeeded: 0, dead: 0, unfinished: 0, unroutable: 0 };
  const wronglyDead: Record<string, number> = {};
  const examples: string[] = [];
  let absent = 0;
  const note = (what: string, job: TrackedJob) => {
    if (examples.length < MAX_EXAMPLES) examples.push(`${what}: ${JSON.stringify(job)}`);
  };
  const duplicates = new Duplicates(troubles, (job) => note('run again without a reason', job));
  for (const job of jobs) {
    duplicates.count(job);
    if (job.acceptedAtMs === undefined) continue;
    count.accepted += 1;
    const reason = parked.dead.get(job.id);
    if (reason !== undefined && !isDoomed(job.payload)) {
      wronglyDead[reason] = (wronglyDead[reason] ?? 0) + 1;
      note(`dead (${reason})`, job);
    } else if (isDoomed(job.payload) ? reason !== undefined : job.isDone) {
      count[isDoomed(job.payload) ? 'dead' : 'succeeded'] += 1;
    } else if (parked.unroutable.has(job.id)) count.unroutable += 1;
    else if (parked.waiting.has(job.id)) count.unfinished += 1;
    else {
      absent += 1;
      note('gone', job);
    }
  }
  const deletedWithQueue = Math.min(absent, deleted);
  return {
    ...count,
    lost: absent - deletedWithQueue,
    deletedWithQueue,
    wronglyDead,
    duplicated: duplicates.all,
    duplicatesBy: duplicates.by,
    duplicatesUnexplained: duplicates.unexplained,
    attemptsSpentByFaults: duplicates.attemptsSpent,
    examples,
  };
}

/** Whether everything is as promised. */
export function isClean(verdict: StormVerdict): boolean {
  const { lost, unfinished, duplicatesUnexplained, attemptsSpentByFaults, wronglyDead } = verdict;
  const faults = [lost, unfinished, duplicatesUnexplained, attemptsSpentByFaults];
  return faults.every((fault) => fault === 0) && Object.keys(wronglyDead).length === 0;
}

/** Runs beyond one for each attempt, and attempts beyond one for each failure. */
class Duplicates {
  all = 0;
  unexplained = 0;
  attemptsSpent = 0;
  readonly by: Partial<Record<Explanation, number>> = {};
  readonly #troubles: Troubles;
  readonly #onUnexplained: (job: TrackedJob) => void;

  constructor(troubles: Troubles, onUnexplained: (job: TrackedJob) => void) {
    this.#troubles = troubles;
    this.#onUnexplained = onUnexplained;
  }

  count(job: TrackedJob): void {
    if (job.runs.length < 2) return;
    const runs = [...job.runs].sort((a, b) => a.startedAtMs - b.startedAtMs);
    const last = new Map<number, SeenRun>();
    for (const run of runs) {
      const before = last.get(run.attempt);
      if (before) this.#explain(job, before, run);
      last.set(run.attempt, run);
    }
    const failed = new Set(runs.filter(({ ended }) => ended === 'failed').map((r) => r.attempt));
    for (const attempt of last.keys()) {
      if (attempt > 1 && !failed.has(attempt - 1)) this.attemptsSpent += 1;
    }
  }

  #explain(job: TrackedJob, before: SeenRun, run: SeenRun): void {
    this.all += 1;
    const why = this.#troubles.explain(job, before, run);
    if (why) this.by[why] = (this.by[why] ?? 0) + 1;
    else {
      this.unexplained += 1;
      this.#onUnexplained(job);
    }
  }
}
