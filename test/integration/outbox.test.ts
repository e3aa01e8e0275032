import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createOutboxTable,
  type Jobs,
  type OutboxRelay,
  publishInTransaction,
  startOutboxRelay,
} from '@warren/client';
import {
  eventually,
  type Installation,
  install,
  metricValue,
  type OwnDatabase,
  ownDatabase,
  quietTelemetry,
  takeIds,
  withScratchDatabase,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOrder, prepare, ship, shipOrder, startRelay } from '../meta/fixtures/order-outbox.ts';
import { outboxJob as job, SHORT } from './fixtures/outbox-options.ts';
import { type BrokerProxy, startBrokerProxy } from './support/broker-proxy.ts';

const PROCESS = fileURLToPath(new URL('fixtures/outbox-process.ts', import.meta.url));
const ROUNDS = 6;
const AT_ONCE = 3;

let here: Installation;
let database: OwnDatabase;
let schema: string;
let relays: OutboxRelay[];
beforeEach(async () => {
  here = await install([job, shipOrder], { history: true });
  database = ownDatabase();
  ({ schema } = database);
  relays = [];
  // Two at once, as two processes that start together do it.
  await Promise.all([0, 1].map(() => createOutboxTable(database.pool, { schema })));
});
afterEach(async () => {
  await Promise.all(relays.map((relay) => relay.stop()));
  await here.dispose();
  await database.dispose();
});

const relay = (jobs: Jobs, options = {}) => {
  const { pool } = database;
  const { logger } = quietTelemetry();
  const started = startOutboxRelay({
    pool,
    jobs,
    schema,
    logger,
    metrics: here.metrics,
    ...SHORT,
    ...options,
  });
  relays.push(started);
  return started;
};
const write = (count: number) =>
  database.transaction(async (client) => {
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      ids.push((await publishInTransaction(client, job, n, { schema })).id);
    }
    return ids;
  });
const rows = async (table = 'jobs') =>
  (await database.pool.query<{ id: string }>(`SELECT * FROM "${schema}".${table}`)).rows;
const untilEmpty = () => eventually('the outbox is empty', async () => (await rows()).length === 0);
const queue = () => here.topology.names.workQueue(job.type);

describe('a job published in a transaction', () => {
  it('exists if that commits, as any other, and never if it is rolled back', async () => {
    const jobs = await here.connect({ history: true });
    const started = relay(jobs, { pollMs: 60_000 });
    const options = { schema, correlationId: 'order \0 ü', headers: { tenant: 'a' } };
    const undone = database.transaction(async (client) => {
      await publishInTransaction(client, job, 'never', { schema });
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    const [now, keyed, later] = await database.transaction(async (client) => [
      await publishInTransaction(client, job, { text: 'grüße 💡\0' }, options),
      await publishInTransaction(client, job, 2, { schema, idempotencyKey: 'k' }),
      await publishInTransaction(client, job, 3, { schema, delay: '1h' }),
    ]);
    started.wake();
    await untilEmpty();
    const direct = await jobs.publish(job, 2, { idempotencyKey: 'k' });
    const [first, second, third, ...others] = await here.admin.take(queue());
    expect(others).toEqual([]);
    expect(JSON.parse(String(first?.content))).toEqual({ text: 'grüße 💡\0' });
    expect(first?.properties).toMatchObject({
      messageId: now?.id,
      type: job.type,
      contentType: 'application/json',
      appId: 'test',
      correlationId: 'order \0 ü',
      headers: { tenant: 'a' },
      deliveryMode: 2,
    });
    // The same as what is published directly, but for the moment of the key's publish.
    expect(keyed?.id).toBe(direct.id);
    expect(second?.content).toEqual(third?.content);
    expect(Object.keys(second?.properties.headers ?? {})).toEqual(
      Object.keys(third?.properties.headers ?? {}),
    );
    const [waiting] = await here.admin.take(here.topology.names.retry({ name: '30m' }));
    expect(waiting?.properties).toMatchObject({ messageId: later?.id, expiration: '1800000' });
    expect(waiting?.properties.headers?.['x-not-before']).toBeGreaterThan(Date.now() + 3_500_000);
    await jobs.close();
    expect(await metricValue(here.metrics, 'jobs_history_events_total')).toBe(4);
  });

  it('is published once by two relays, in batches, and what no queue takes holds up nobody', async () => {
    const ids = await write(1_500);
    await database.pool.query(
      `INSERT INTO "${schema}".jobs (id, type, body, properties) SELECT 'lost', 'no.such', 'x', '{}' FROM generate_series(1, 20)`,
    );
    ids.push(...(await write(500)));
    for (const jobs of [await here.connect(), await here.connect()])
      relay(jobs, { maxInHand: 100, publishTimeoutMs: 10_000, leaseMs: 30_000 });
    await eventually('all but those are gone', async () => (await rows()).length === 20);
    expect((await takeIds(here.url, queue())).sort()).toEqual(ids.sort());
    const stuck = await rows();
    expect(stuck.map(({ id }) => id)).toEqual(stuck.map(() => 'lost'));
    await eventually('it is told', async () =>
      (await rows()).every((row) =>
        String((row as { problem?: unknown }).problem).includes('no.such'),
      ),
    );
  });

  it('waits while the broker is away, seen in the metrics, and goes out when it is back', async () => {
    const proxy: BrokerProxy = await startBrokerProxy(new URL(here.url));
    try {
      const connection = { urls: [proxy.url] };
      const jobs = await here.connect({ connection });
      relay(jobs);
      const ids = await write(100);
      await untilEmpty();
      proxy.close();
      ids.push(...(await write(300)));
      await eventually('they wait', async () => !jobs.readiness().ready);
      expect((await rows()).length).toBe(300);
      const started = relay(await here.connect({ connection }));
      await eventually('it is counted', async () => {
        const pending = await metricValue(here.metrics, 'jobs_outbox_pending');
        return pending >= 300;
      });
      expect(await metricValue(here.metrics, 'jobs_outbox_oldest_age_seconds')).toBeGreaterThan(0);
      await started.stop();
      const beside = write(200);
      proxy.open();
      ids.push(...(await beside));
      await untilEmpty();
      expect(new Set(await takeIds(here.url, queue()))).toEqual(new Set(ids));
    } finally {
      proxy.stop();
    }
  });
});

it('the example of the documentation runs', async () => {
  const { url, namespace, metrics } = here;
  const { logger } = quietTelemetry();
  const connection = { urls: [url] };
  const common = { connection, namespace, service: 'shop', logger, metrics };
  await here.work([handle(shipOrder, async ({ payload }) => `${payload.order} is on its way`)], {
    history: true,
  });
  await withScratchDatabase(async (pool) => {
    await prepare(pool);
    await pool.query('CREATE TABLE orders (id text PRIMARY KEY)');
    const stop = await startRelay(pool, common);
    const jobs = await here.connect({ history: true });
    const id = await placeOrder(pool, 'A-7');
    expect(await jobs.wait(id, { timeoutMs: 20_000 })).toBe('A-7 is on its way');
    await expect(placeOrder(pool, 'A-7')).rejects.toThrow('duplicate key');
    expect(await ship(common, 'A-8')).toBe('A-8 is on its way');
    await stop();
    expect((await pool.query('SELECT FROM warren_outbox.jobs')).rowCount).toBe(0);
  });
});

describe('a broker that does not answer', () => {
  it('gets a job again only when the channel is closed, and other relays leave it alone', async () => {
    const proxy = await startBrokerProxy(new URL(here.url));
    try {
      const jobs = await here.connect({ connection: { urls: [proxy.url] } });
      relay(jobs);
      await write(1);
      await untilEmpty();
      proxy.hold();
      const heldAtMs = Date.now();
      const ids = await write(50);
      await eventually('the broker has them', async () => (await here.admin.depth(queue())) === 51);
      relay(await here.connect());
      // For longer than the lease that they were taken with: by then the other relay would have had them.
      await eventually('they are kept', async () => {
        const keptUntilMs = (await rows()).map((row) => (row as { due_at?: Date }).due_at);
        return keptUntilMs.every((due) => Number(due) > heldAtMs + 2 * SHORT.leaseMs);
      });
      expect(await here.admin.depth(queue())).toBe(51);
      proxy.release();
      await untilEmpty();
      const arrived = await takeIds(here.url, queue());
      expect(arrived).toHaveLength(101);
      expect(arrived.slice(51).sort()).toEqual(ids.sort());
    } finally {
      proxy.stop();
    }
  });
});

describe('processes that are killed between commit and publish', () => {
  it('lose no job that was committed, and publish none that was rolled back', async () => {
    await database.pool.query(`CREATE TABLE "${schema}".orders (id text PRIMARY KEY)`);
    await here.connect().then((jobs) => jobs.publish(job, 'declares'));
    await here.admin.take(queue());
    const random = seeded(7);
    const left: number[] = [];
    for (let round = 0; round < ROUNDS; round += AT_ONCE) {
      const lives = Array.from({ length: AT_ONCE }, () => [
        Math.ceil(random() * 20),
        random() * 10,
      ]);
      await Promise.all(lives.map(([commits = 1, afterMs]) => killed(commits, afterMs)));
      left.push((await rows()).length);
    }
    expect(Math.max(...left), 'some were killed with jobs in the outbox').toBeGreaterThan(0);
    relay(await here.connect());
    await untilEmpty();
    const committed = (await rows('orders')).map(({ id }) => id);
    expect(committed.length).toBeGreaterThanOrEqual(ROUNDS);
    expect(new Set(await takeIds(here.url, queue()))).toEqual(new Set(committed));
  });
});

/** Starts a process and kills it a moment after so many commits. */
async function killed(commits: number, afterMs = 0): Promise<void> {
  const { url, namespace } = here;
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', PROCESS, JSON.stringify({ url, namespace, schema })],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');
  let seen = 0;
  for await (const _ of createInterface({ input: child.stdout })) {
    seen += 1;
    if (seen === commits) {
      await pause(afterMs);
      child.kill('SIGKILL');
    }
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
