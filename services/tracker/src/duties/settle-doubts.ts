import type { HistoryEvent } from '@warren/history';
import type { DoubtfulJob, Projection } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import type { Duty } from '../repeat.ts';

/** What settling doubts needs. */
export interface SettleDeps {
  readonly projection: Pick<Projection, 'doubtful'>;
  /** Looks for dead letters of these jobs, all of one queue; tells what became of those that it found. */
  readonly findDead: (queue: string, jobs: readonly DoubtfulJob[]) => Promise<HistoryEvent[]>;
  /** Is what the store says the present? What is still to be read may settle the doubt. */
  isCurrent(nowMs: number): boolean;
  record(event: HistoryEvent): void;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** How soon it is noticed that the store has come to the present. */
const LOOK_MS = 1_000;
const EVERY_MS = 15_000;
const MAX_JOBS = 10_000;
/** To look at dead letters is work for the broker, and each look is counted there as a return. */
const LOOK_AGAIN_MS = 600_000;

/**
 * Counts the jobs whose state may not be the last word, and tells what can be known of them for sure: what their claims say
 * was done, and which of them are dead letters. The rest stays in doubt until something is told of it.
 */
export function settleDoubts(deps: SettleDeps): Duty {
  const lookedAtMs = new Map<string, number>();
  let nextAtMs = 0;
  return {
    everyMs: LOOK_MS,
    async run() {
      const nowMs = Date.now();
      if (nowMs < nextAtMs || !deps.isCurrent(nowMs)) return;
      nextAtMs = nowMs + EVERY_MS;
      const doubtful = await deps.projection.doubtful({ limit: MAX_JOBS });
      const done = doubtful.flatMap(doneEvent);
      tell(deps, done);
      let open = doubtful.length - done.length;
      for (const [queue, jobs] of byQueue(doubtful.filter((job) => job.done === undefined))) {
        if (nowMs - (lookedAtMs.get(queue) ?? Number.NEGATIVE_INFINITY) < LOOK_AGAIN_MS) continue;
        lookedAtMs.set(queue, nowMs);
        const dead = await look(deps, queue, jobs);
        tell(deps, dead);
        open -= dead.length;
      }
      deps.metrics.jobs_tracker_uncertain.set(open);
    },
  };
}

/** The doubt stays where nobody can look. */
async function look(
  { findDead, logger }: SettleDeps,
  queue: string,
  jobs: readonly DoubtfulJob[],
): Promise<HistoryEvent[]> {
  try {
    return await findDead(queue, jobs);
  } catch (error) {
    logger.warn({ err: error, queue }, 'cannot look for jobs among the dead letters');
    return [];
  }
}

function tell({ record, metrics, logger }: SettleDeps, found: readonly HistoryEvent[]): void {
  if (found.length === 0) return;
  for (const event of found) record(event);
  metrics.jobs_tracker_settled_total.inc(found.length);
  logger.warn({ jobs: found.length }, 'found out that jobs had ended, which nobody had told');
}

function doneEvent({ done, ...job }: DoubtfulJob): HistoryEvent[] {
  if (!done) return [];
  const { atMs, result } = done;
  return [
    {
      ...job,
      kind: 'succeeded',
      atMs,
      durationMs: 0,
      result: result === 'null' ? undefined : result,
    },
  ];
}

function byQueue(jobs: readonly DoubtfulJob[]): Map<string, DoubtfulJob[]> {
  const queues = new Map<string, DoubtfulJob[]>();
  for (const job of jobs) {
    const known = queues.get(job.queue);
    if (known) known.push(job);
    else queues.set(job.queue, [job]);
  }
  return queues;
}
