import { hostname } from 'node:os';
import { BrokerSession } from '@warren/broker';
import { catalog } from '@warren/catalog';
import { BrokerUnavailableError, newJobId, WarrenError } from '@warren/contracts';
import { replayOne } from '@warren/dead-letter';
import { encodeBatch, type HistoryEvent } from '@warren/history';
import { brokerConnection } from '@warren/runtime';
import type { Store } from '@warren/store';
import type { Logger } from '@warren/telemetry';
import { buildTopology } from '@warren/topology';
import type { GatewayConfig } from './config.ts';
import type { RetryJob } from './domain/retry-job.ts';
import { writerDown } from './domain/write-down.ts';
import type { Streams } from './history-source.ts';

/** What it needs beside the settings. */
interface RetryDeps {
  readonly streams: Streams;
  readonly store: Store;
  readonly logger: Logger;
}

/** Replays the dead letter of a job, on a connection of its own, and tells audit, history and store. */
export function retryByReplay(config: GatewayConfig, deps: RetryDeps): RetryJob {
  const writeDown = writerDown(deps.store);
  const topology = buildTopology({
    namespace: config.WARREN_NAMESPACE,
    jobTypes: catalog,
  });
  const { names } = topology;
  const holder = `gateway ${hostname()} (pid ${process.pid})`;
  return async ({ id, queue, type }, by) => {
    await writeDown(by, 'job.retry', { queue, id });
    const session = await BrokerSession.open({
      connection: brokerConnection(config),
      service: 'gateway',
    });
    try {
      const source = { queue: names.deadQueue(queue), workQueue: names.workQueue(queue) };
      const done = await replayOne({ session, topology, source, id, holder });
      if (done.kind === 'missing') {
        return { kind: 'left', problem: `its dead letter is not in ${source.queue}` };
      }
      if (done.kind === 'left') return done;
      const { generation } = done;
      await tell(
        {
          kind: 'replayed',
          id,
          type,
          queue,
          atMs: Date.now(),
          generation,
          attempt: 1,
          run: '',
          by,
        },
        deps,
      );
      return { kind: 'replayed', generation };
    } catch (error) {
      if (error instanceof WarrenError) throw error;
      throw new BrokerUnavailableError(error instanceof Error ? error.message : String(error));
    } finally {
      await session.close();
    }
  };
}

/** It is done, whether or not that can be told: the worker tells the rest. */
async function tell(event: HistoryEvent, { streams, store, logger }: RetryDeps): Promise<void> {
  const { broker, names } = streams;
  const message = {
    exchange: names.lifecycle,
    routingKey: 'gateway',
    body: encodeBatch([event]),
    properties: { messageId: newJobId(), persistent: true, mandatory: false } as const,
  };
  try {
    await broker.publisher.publish(message);
    // Only what the history has: the store must say what a rebuild of it would.
    await store.projection.apply([event]);
  } catch (error) {
    logger.warn({ err: error, job_id: event.id }, 'a replay was not told');
  }
}
