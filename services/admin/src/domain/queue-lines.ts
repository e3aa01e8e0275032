import type { QueueFigures } from '@warren/broker';
import { LANES } from '@warren/contracts';
import type { Names } from '@warren/topology';

/** Where the jobs of one queue are. */
export interface QueueLine {
  /** The job type, or the subscriber. */
  readonly queue: string;
  /** False where the broker has no such queue. */
  readonly exists: boolean;
  /** Wait to be taken, in all lanes. */
  readonly ready: number;
  /** By the store; undefined where it tells nothing. */
  readonly running: number | undefined;
  /** Wait for a further attempt, or for their time. */
  readonly retrying: number | undefined;
  /** Long jobs in hand, of which the broker knows nothing; by the store, as the next one. */
  readonly leased: number | undefined;
  /** Of long jobs whose worker is gone, it seems; another one publishes them again. */
  readonly expiredLeases: number | undefined;
  /** Wait to be run one by one, since their worker died. */
  readonly suspects: number;
  readonly dead: number;
  readonly consumers: number;
}

/** What the lines are made of. */
export interface QueueParts {
  readonly names: Pick<Names, 'workQueue' | 'laneQueue' | 'suspectQueue' | 'deadQueue'>;
  readonly queues: readonly string[];
  readonly figures: ReadonlyMap<string, QueueFigures | undefined>;
  readonly counts?:
    | readonly { readonly queue: string; readonly state: string; readonly count: number }[]
    | undefined;
  readonly leases?:
    | readonly { readonly queue: string; readonly running: number; readonly expired: number }[]
    | undefined;
}

const RUNNING = ['running'];
const RETRYING = ['retrying', 'scheduled'];

export function queueLines({ names, queues, figures, counts, leases }: QueueParts): QueueLine[] {
  return queues.map((queue) => {
    const lanes = LANES.flatMap((lane) => figures.get(names.laneQueue(queue, lane)) ?? []);
    const sum = (key: 'ready' | 'consumers') => lanes.reduce((all, lane) => all + lane[key], 0);
    const inStates = (states: readonly string[]) =>
      counts
        ?.filter((one) => one.queue === queue && states.includes(one.state))
        .reduce((all, { count }) => all + count, 0);
    const own = leases?.filter((one) => one.queue === queue);
    return {
      queue,
      exists: figures.get(names.workQueue(queue)) !== undefined,
      ready: sum('ready'),
      running: inStates(RUNNING),
      retrying: inStates(RETRYING),
      leased: own?.reduce((all, { running, expired }) => all + running - expired, 0),
      expiredLeases: own?.reduce((all, { expired }) => all + expired, 0),
      suspects: figures.get(names.suspectQueue(queue))?.ready ?? 0,
      dead: figures.get(names.deadQueue(queue))?.ready ?? 0,
      consumers: sum('consumers'),
    };
  });
}
