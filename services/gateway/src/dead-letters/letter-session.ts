import { BrokerSession } from '@warren/broker';
import { catalog } from '@warren/catalog';
import { BrokerUnavailableError, QueueMissingError, WarrenError } from '@warren/contracts';
import {
  type FoundSource,
  findSource,
  findTarget,
  type ReplayTarget,
  refuseWhileMigrated,
} from '@warren/dead-letter';
import { brokerConnection } from '@warren/runtime';
import { buildTopology, type Topology } from '@warren/topology';
import type { GatewayConfig } from '../config.ts';

const MAX_NAME_CHARS = 200;

/** Where dead letters of an installation are, and connections for one piece of work with them. */
export class LetterSessions {
  readonly topology: Topology;
  readonly #config: GatewayConfig;

  constructor(config: GatewayConfig) {
    this.#config = config;
    this.topology = buildTopology({ namespace: config.WARREN_NAMESPACE, jobTypes: catalog });
  }

  /** @throws QueueMissingError */
  source(queue: string): FoundSource {
    // A subscriber is not in the topology of job types.
    const found = findSource(queue, this.topology) ?? findSource(`${queue}.dead`, this.topology);
    if (!found) throw new QueueMissingError(queue.slice(0, MAX_NAME_CHARS));
    return found;
  }

  /** Where all are to go, by a job type or a queue's name. @throws QueueMissingError for one that no job is run from */
  target(queue: string | undefined): ReplayTarget | undefined {
    if (queue === undefined) return undefined;
    const found = findTarget(queue, this.topology, catalog);
    if (!found) throw new QueueMissingError(queue.slice(0, MAX_NAME_CHARS));
    return found;
  }

  /** As `with`, for a look at one queue. @throws LockHeldError while it is migrated */
  look<T>({ queue }: FoundSource, work: (session: BrokerSession) => Promise<T>): Promise<T> {
    return this.with(async (session) => {
      await refuseWhileMigrated(session, this.topology.names, queue);
      return work(session);
    });
  }

  /** @throws what the work rejects with; a BrokerUnavailableError for what is no error of the kit's own */
  async with<T>(work: (session: BrokerSession) => Promise<T>): Promise<T> {
    const session = await BrokerSession.open({
      connection: brokerConnection(this.#config),
      service: 'gateway',
    });
    try {
      return await work(session);
    } catch (error) {
      if (error instanceof WarrenError) throw error;
      throw new BrokerUnavailableError(error instanceof Error ? error.message : String(error));
    } finally {
      await session.close();
    }
  }
}
