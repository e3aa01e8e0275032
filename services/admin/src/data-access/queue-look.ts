import type { BrokerSession } from '@warren/broker';
import { LANES } from '@warren/contracts';
import { type QueueLine, type QueueParts, queueLines } from '../domain/queue-lines.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';

/** What can be seen of all queues. */
export interface QueueLook {
  readonly queues: readonly QueueLine[];
  /** Messages whose queue is gone. */
  readonly unroutable: number;
  /** Why the store tells nothing; undefined where it does. */
  readonly problem: string | undefined;
}

const NO_STORE = 'there is no DATABASE_URL';

/** Asks the broker, and the store where there is one. @throws BrokerUnavailableError */
export async function lookAtQueues(admin: Admin, session: BrokerSession): Promise<QueueLook> {
  const { topology } = admin;
  const { names } = topology;
  const { counts, leases, problem } = await storeCounts(admin);
  const types = topology.queues.flatMap(({ role, jobType }) =>
    role === 'dead' && jobType !== undefined ? [jobType] : [],
  );
  const told = [...(counts ?? []), ...(leases ?? [])].map(({ queue }) => queue);
  const queues = [...new Set([...types, ...told])].sort();
  const figures = await session.figures([
    ...queues.flatMap((queue) => [
      ...LANES.map((lane) => names.laneQueue(queue, lane)),
      names.suspectQueue(queue),
      names.deadQueue(queue),
    ]),
    names.unroutable,
  ]);
  return {
    queues: queueLines({ names, queues, figures, counts, leases }),
    unroutable: figures.get(names.unroutable)?.ready ?? 0,
    problem,
  };
}

type StoreCounts = Pick<QueueParts, 'counts' | 'leases'> & Pick<QueueLook, 'problem'>;

async function storeCounts(admin: Admin): Promise<StoreCounts> {
  if (admin.config.DATABASE_URL === undefined) return { problem: NO_STORE };
  try {
    return await withStore(admin, async (store) => ({
      counts: await store.jobs.counts(),
      leases: await store.leases.counts(),
      problem: undefined,
    }));
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
