import { readFile } from 'node:fs/promises';
import { amqplibByHand } from '../systems/own-systems.ts';
import { placeIn } from '../systems/queues.ts';
import type { JobSystem } from '../systems/system.ts';
import { type AppendFsync, type PrivateRedis, startRedis } from './redis.ts';
import { BullmqSystem } from './systems/bullmq.ts';
import { GraphileWorkerSystem } from './systems/graphile-worker.ts';
import { PgBossSystem } from './systems/pg-boss.ts';
import { postgresVersion } from './systems/postgres.ts';
import { RabbitmqClientSystem } from './systems/rabbitmq-client.ts';
import { RascalSystem } from './systems/rascal.ts';

/** What is compared with, ready to be used. */
export interface Peers {
  readonly systems: readonly JobSystem[];
  readonly versions: Readonly<Record<string, string>>;
  /** Ends the servers that were started for them. */
  stop(): Promise<void>;
}

export const NAMESPACE = 'benchpeers';
const SYNCS: readonly AppendFsync[] = ['always', 'everysec', 'no'];

/** Starts a Redis for each way to sync, and makes all peers. */
export async function startPeers(url: string, databaseUrl: string): Promise<Peers> {
  const started: { appendFsync: AppendFsync; redis: PrivateRedis }[] = [];
  const stop = async () => {
    await Promise.all(started.map(({ redis }) => redis.stop()));
  };
  try {
    for (const appendFsync of SYNCS)
      started.push({ appendFsync, redis: await startRedis(appendFsync) });
    const place = placeIn(url, NAMESPACE);
    const systems = [
      amqplibByHand(url, NAMESPACE, 'single acks'),
      new RabbitmqClientSystem({ kind: 'rabbitmq-client', place }),
      new RascalSystem({ kind: 'rascal', place }),
      ...started.map(
        ({ appendFsync, redis }) =>
          new BullmqSystem({ kind: 'bullmq', port: redis.port, appendFsync }),
      ),
      new PgBossSystem({ kind: 'pg-boss', databaseUrl, looks: 'polling' }),
      new PgBossSystem({ kind: 'pg-boss', databaseUrl, looks: 'told not to wait' }),
      new GraphileWorkerSystem({ kind: 'graphile-worker', databaseUrl }),
    ];
    const versions = {
      redis: started[0]?.redis.version ?? '',
      postgres: await postgresVersion(databaseUrl),
      ...(await packageVersions()),
    };
    return { systems, versions, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function packageVersions(): Promise<Record<string, string>> {
  const text = await readFile(new URL('package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { dependencies: Record<string, string> }).dependencies;
}
