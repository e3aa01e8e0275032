import type { Broker } from '@warren/broker';
import { type ControlState, counting, pausing } from '@warren/client';
import { checkJobTypeName, type QueueCounts, QueueMissingError } from '@warren/contracts';
import type { WorkerWatch } from '@warren/history';
import type { JobReader, Leases } from '@warren/store';
import type { Names } from '@warren/topology';
import type { WriteDown } from '../write-down.ts';
import {
  NOBODY,
  type QueueReport,
  queuesToAsk,
  type ReportParts,
  reportQueues,
} from './queue-report.ts';

/** What can be seen of queues, and done to them. */
export interface QueueDesk {
  /** @throws BrokerUnavailableError */
  reports(): Promise<readonly QueueReport[]>;
  /** @throws QueueMissingError, BrokerUnavailableError */
  report(queue: string): Promise<QueueReport>;
  /** @throws QueueMissingError for a queue that nobody knows; as `ControlState.change` */
  setPaused(queue: string, isPaused: boolean, by: string): Promise<void>;
  /** @throws ConfigInvalidError naming the field; else as `setPaused` */
  setCounts(queue: string, counts: QueueCounts | undefined, by: string): Promise<void>;
}

/** What a desk is made of. */
export interface QueueDeskOptions {
  readonly broker: Pick<Broker, 'figures'>;
  readonly names: Names;
  readonly control: Pick<ControlState, 'current' | 'change'>;
  /** Hears workers tell of their circuits. */
  readonly watch: Pick<WorkerWatch, 'circuitsSoon' | 'problem'>;
  readonly writeDown: WriteDown;
  readonly reader: Pick<JobReader, 'counts'>;
  readonly leases: Pick<Leases, 'counts'>;
  /** Queues of this installation's job types. Those of subscribers are known by their jobs. */
  readonly jobTypes: readonly string[];
  /** Those of them that have lanes. Default: none. */
  readonly laned?: readonly string[] | undefined;
}

export function createQueueDesk(options: QueueDeskOptions): QueueDesk {
  const { broker, names, control, watch, writeDown, reader, leases, jobTypes } = options;
  const laned = new Set(options.laned);
  let isAnyOpen = false;
  /** The history is read only where nobody is seen, and from then on until no circuit is open: one that is tried has a consumer. */
  const reportsOf = async (seen: Omit<ReportParts, 'circuits'>) => {
    const reports = reportQueues({ ...seen, circuits: [] });
    if (!isAnyOpen && !reports.some(({ problem }) => problem === NOBODY)) return reports;
    const circuits = await watch.circuitsSoon();
    isAnyOpen = circuits.some(({ key, state }) => key === undefined && state !== 'closed');
    return reportQueues({ ...seen, circuits, unheard: watch.problem });
  };
  const look = async (only?: string) => {
    const [counts, leased] = await Promise.all([
      reader.counts().catch(() => undefined),
      leases.counts().catch(() => undefined),
    ]);
    const told = [...(counts ?? []), ...(leased ?? [])]
      .map(({ queue }) => queue)
      .filter(isQueueName);
    const known = new Set([...jobTypes, ...told]);
    const queues = only === undefined ? [...known].sort() : [only];
    const [figures, { pausedQueues, concurrency = {} }] = await Promise.all([
      broker.figures(queuesToAsk(names, queues, laned)),
      control.current(),
    ]);
    const paused = new Set(pausedQueues);
    const seen = { names, queues, laned, figures, paused, set: concurrency, counts, leased };
    return { known, reports: await reportsOf(seen), figures };
  };
  const report = async (queue: string) => {
    if (!isQueueName(queue)) throw new QueueMissingError(queue.slice(0, 200));
    const { known, reports, figures } = await look(queue);
    const [found] = reports;
    const exists = known.has(queue) || figures.get(names.workQueue(queue)) !== undefined;
    if (!found || !exists) throw new QueueMissingError(queue.slice(0, 200));
    return found;
  };
  return {
    reports: async () => (await look()).reports,
    report,
    async setPaused(queue, isPaused, by) {
      await report(queue);
      const action = isPaused ? 'queue.pause' : 'queue.resume';
      await control.change(pausing(queue, isPaused), () => writeDown(by, action, { queue }));
    },
    async setCounts(queue, counts, by) {
      const edit = counting(queue, counts);
      await report(queue);
      const details = { queue, ...(counts ?? { reset: true }) };
      await control.change(edit, () => writeDown(by, 'queue.concurrency', details));
    },
  };
}

/** What cannot be a job type or a subscriber is no queue of jobs: the broker need not be asked, and could not always be. */
function isQueueName(text: string): boolean {
  try {
    checkJobTypeName(text);
    return true;
  } catch {
    return false;
  }
}
