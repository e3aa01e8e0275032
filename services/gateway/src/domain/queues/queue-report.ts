import type { QueueFigures } from '@warren/broker';
import { circuitBefore, circuitBeforeText } from '@warren/client';
import { LANES, type QueueCounts } from '@warren/contracts';
import type { CircuitEverywhere } from '@warren/history';
import type { JobReader, Leases } from '@warren/store';
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
  /** Long jobs in hand, of which the broker knows nothing. By the store, as the next one. */
  readonly leased?: number | undefined;
  /** Of long jobs whose worker is gone, it seems; another one publishes them again. */
  readonly expiredLeases?: number | undefined;
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
  readonly leased: Awaited<ReturnType<Leases['counts']>> | undefined;
  /** Where the circuits of workers stand, as far as is known. */
  readonly circuits: readonly CircuitEverywhere[];
  /** Why workers cannot be heard now. */
  readonly unheard?: string | undefined;
}

/** What is wrong where no worker is there, or none is seen to be. */
export const NOBODY = 'jobs wait and nobody takes them';
const UNHEARD = 'whether a circuit is open is not known';

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
  const { names, queues, laned, figures, counts, leased } = parts;
  return queues.map((queue) => {
    const work = workQueues(names, queue, laned).map((name) => figures.get(name));
    const paused = parts.paused.has(queue);
    const leases = leased && leasesOf(queue, leased);
    const problem = problemOf(queue, work, parts, leases?.expiredLeases);
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
      leased: leases?.leased,
      expiredLeases: leases?.expiredLeases,
    };
  });
}

/** The job type's own first. */
function workQueues(names: Names, queue: string, laned: ReadonlySet<string>): readonly string[] {
  const lanes = laned.has(queue) ? LANES.filter((lane) => lane !== 'normal') : [];
  return [names.workQueue(queue), ...lanes.map((lane) => names.laneQueue(queue, lane))];
}

function problemOf(
  queue: string,
  work: readonly (QueueFigures | undefined)[],
  { paused, circuits, unheard }: ReportParts,
  expiredLeases = 0,
): string | undefined {
  if (work.includes(undefined)) return 'the queue does not exist at the broker';
  if (paused.has(queue)) return undefined;
  const isLeft = work.some((one) => one && one.ready > 0 && one.consumers === 0);
  // Workers of the queue look for them, also while it is paused.
  const isForgotten = expiredLeases > 0 && work.every((one) => one?.consumers === 0);
  const isAlone = isLeft || isForgotten;
  const before = circuitBefore(queue, circuits);
  // Also while its one consumer is there again for a trial.
  if (before && (before.isForAll || isLeft)) return circuitBeforeText(queue, before.circuit);
  if (!isAlone) return undefined;
  return unheard === undefined ? NOBODY : `${NOBODY}; ${UNHEARD}: ${unheard}`;
}

function leasesOf(queue: string, leased: NonNullable<ReportParts['leased']>) {
  const own = leased.filter((one) => one.queue === queue);
  const sum = (count: (one: (typeof own)[number]) => number) =>
    own.reduce((all, one) => all + count(one), 0);
  return {
    leased: sum(({ running, expired }) => running - expired),
    expiredLeases: sum(({ expired }) => expired),
  };
}

function jobsOf(queue: string, counts: NonNullable<ReportParts['counts']>): Record<string, number> {
  const own = counts.filter((one) => one.queue === queue);
  return Object.fromEntries(own.map(({ state, count }) => [state, count]));
}
