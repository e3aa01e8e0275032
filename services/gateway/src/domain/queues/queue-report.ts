import type { QueueFigures } from '@warren/broker';
import { LANES, type QueueCounts } from '@warren/contracts';
import type { JobReader } from '@warren/store';
import type { Names } from '@warren/topology';

/** Where the jobs of one queue are. */
export interface QueueReport {
  /** The job type, or the subscriber. */
  readonly queue: string;
  readonly health: 'healthy' | 'degraded';
  /** What is wrong. */
  readonly problem?: string | undefined;
  readonly paused: boolean;
  /** What an operator has set in place of what code and environment say. */
  readonly set?: QueueCounts | undefined;
  readonly consumers: number;
  /** Wait at the broker, to be taken; in all lanes, where there are any. */
  readonly ready: number;
  /** Wait to be run one by one, since their worker died. */
  readonly suspects: number;
  readonly dead: number;
  /** By the store; absent where it does not answer. */
  readonly jobs?: Readonly<Record<string, number>> | undefined;
}

/** What a report is made of. */
export interface ReportParts {
  readonly names: Names;
  readonly queues: readonly string[];
  /** Those that have lanes. */
  readonly laned: ReadonlySet<string>;
  readonly figures: ReadonlyMap<string, QueueFigures | undefined>;
  readonly paused: ReadonlySet<string>;
  /** By queue. */
  readonly set: Readonly<Record<string, QueueCounts>>;
  readonly counts: Awaited<ReturnType<JobReader['counts']>> | undefined;
}

/** Everything at the broker that belongs to a queue. */
export function queuesToAsk(
  names: Names,
  queues: readonly string[],
  laned: ReadonlySet<string>,
): readonly string[] {
  return queues.flatMap((queue) => [
    ...workQueues(names, queue, laned),
    names.suspectQueue(queue),
    names.deadQueue(queue),
  ]);
}

/** Puts together what broker, store and control say. */
export function reportQueues(parts: ReportParts): readonly QueueReport[] {
  const { names, queues, laned, figures, counts } = parts;
  return queues.map((queue) => {
    const work = workQueues(names, queue, laned).map((name) => figures.get(name));
    const paused = parts.paused.has(queue);
    const problem = problemOf(work, paused);
    return {
      queue,
      health: problem === undefined ? 'healthy' : 'degraded',
      problem,
      paused,
      set: Object.hasOwn(parts.set, queue) ? parts.set[queue] : undefined,
      consumers: work[0]?.consumers ?? 0,
      ready: work.reduce((sum, one) => sum + (one?.ready ?? 0), 0),
      suspects: figures.get(names.suspectQueue(queue))?.ready ?? 0,
      dead: figures.get(names.deadQueue(queue))?.ready ?? 0,
      jobs: counts && jobsOf(queue, counts),
    };
  });
}

/** The job type's own first. */
function workQueues(names: Names, queue: string, laned: ReadonlySet<string>): readonly string[] {
  const lanes = laned.has(queue) ? LANES.filter((lane) => lane !== 'normal') : [];
  return [names.workQueue(queue), ...lanes.map((lane) => names.laneQueue(queue, lane))];
}

function problemOf(
  work: readonly (QueueFigures | undefined)[],
  paused: boolean,
): string | undefined {
  if (work.includes(undefined)) return 'the queue does not exist at the broker';
  const isLeft = work.some((one) => one && one.ready > 0 && one.consumers === 0);
  return isLeft && !paused ? 'jobs wait and nobody takes them' : undefined;
}

function jobsOf(queue: string, counts: NonNullable<ReportParts['counts']>): Record<string, number> {
  const own = counts.filter((one) => one.queue === queue);
  return Object.fromEntries(own.map(({ state, count }) => [state, count]));
}
