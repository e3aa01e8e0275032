import type { BrokerSession } from '@warren/broker';
import { LANES } from '@warren/contracts';
import { brokerConnection } from '@warren/runtime';
import { RETRY_TIERS } from '@warren/topology';
import { type FlowingLine, type QueueRates, sumRates } from '../domain/queue-flow.ts';
import { type QueueLine, type QueueParts, queueLines } from '../domain/queue-lines.ts';
import type { Admin } from '../open-session.ts';
import { withStore } from '../open-store.ts';
import { managementAccess } from './management-access.ts';
import { queueRates } from './queue-rates.ts';

/** What waits in a delay queue, for all job types together. */
export interface TierLine {
  /** Such as `30s`. */
  readonly tier: string;
  readonly waiting: number;
}

/** What can be seen of all queues. */
export interface QueueLook {
  readonly queues: readonly QueueLine[];
  /** Messages whose queue is gone. */
  readonly unroutable: number;
  /** By the broker, ascending; those where something waits. */
  readonly tiers: readonly TierLine[];
  /** Why the store tells nothing; undefined where it does. */
  readonly problem: string | undefined;
}

const NO_STORE = 'there is no DATABASE_URL';
const NO_API = 'WARREN_MANAGEMENT_URL is not set';

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
    ...RETRY_TIERS.map((tier) => names.retry(tier)),
  ]);
  return {
    queues: queueLines({ names, queues, figures, counts, leases }),
    unroutable: figures.get(names.unroutable)?.ready ?? 0,
    tiers: RETRY_TIERS.flatMap((tier) => {
      const waiting = figures.get(names.retry(tier))?.ready ?? 0;
      return waiting > 0 ? [{ tier: tier.name, waiting }] : [];
    }),
    problem,
  };
}

/** Rates by job type or subscriber, and why there are none. */
export interface RatesLook {
  readonly rates: ReadonlyMap<string, QueueRates> | undefined;
  readonly ratesProblem: string | undefined;
}

/** Asks RabbitMQ's management API, where it is set. Never rejects. */
export async function lookAtRates(
  { config, topology: { names } }: Admin,
  queues: readonly string[],
): Promise<RatesLook> {
  const url = config.WARREN_MANAGEMENT_URL;
  if (url === undefined) return { rates: undefined, ratesProblem: NO_API };
  const told = await queueRates(managementAccess(url, brokerConnection(config)));
  if ('unseen' in told) return { rates: undefined, ratesProblem: told.unseen };
  const rates = queues.flatMap((queue): [string, QueueRates][] => {
    const lanes = LANES.map((lane) => told.value.get(names.laneQueue(queue, lane)));
    const sum = sumRates(lanes);
    return sum ? [[queue, sum]] : [];
  });
  return { rates: new Map(rates), ratesProblem: undefined };
}

/** A look, and how it differs from the one before. */
export type FlowingLook = Omit<QueueLook, 'queues'> &
  Pick<RatesLook, 'ratesProblem'> & { readonly queues: readonly FlowingLine[] };

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
