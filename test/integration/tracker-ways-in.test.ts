import { catalog, events, sendEmail } from '@warren/catalog';
import {
  connectJobs,
  createOutboxTable,
  publishInTransaction,
  startOutboxRelay,
} from '@warren/client';
import { createService as createGateway, gatewaySettings } from '@warren/gateway';
import { loadConfig } from '@warren/runtime';
import {
  deleteNamespace,
  eventually,
  ownDatabase,
  quietTelemetry,
  sharedBrokerUrl,
  startProxy,
} from '@warren/testing';
import { expect, it, type TestContext } from 'vitest';
import { fingerprint, rebuild } from './support/rebuilding.ts';
import { inState, setUp } from './support/tracked.ts';

const payload = { to: 'a@example.org', subject: 's', text: 't' };

/** A gateway whose way to the broker can be closed. */
async function openGateway(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  { namespace, bench }: Awaited<ReturnType<typeof setUp>>,
) {
  const way = await startProxy(sharedBrokerUrl());
  const env = { AMQP_URL: way.url, WARREN_NAMESPACE: namespace, PORT: '0' };
  const telemetry = { ...quietTelemetry(), store: bench.store };
  const gateway = createGateway(loadConfig(gatewaySettings, env), telemetry);
  onTestFinished(async () => {
    way.setOpen(true);
    await gateway.stop();
    way.stop();
    const types = catalog.map(({ type }) => type);
    await deleteNamespace(sharedBrokerUrl(), namespace, types);
  });
  await gateway.start();
  const isConnected = () => gateway.ready().checks['broker'] === 'ok';
  await eventually('the gateway is connected', isConnected);
  async function post(options: object = {}): Promise<string> {
    const response = await fetch(`${gateway.url()}/v1/jobs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ type: 'email.send', payload, ...options }),
    });
    expect(response.status).toBe(202);
    return ((await response.json()) as { id: string }).id;
  }
  return { way, post, isConnected };
}

/** A service that publishes by itself, at once or with its rows. */
async function openShop(
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  namespace: string,
) {
  const telemetry = quietTelemetry();
  const jobs = await connectJobs({
    connection: { urls: [sharedBrokerUrl()] },
    service: 'shop',
    namespace,
    jobs: [sendEmail],
    events,
    history: true,
    ...telemetry,
  });
  const { pool, schema, transaction, dispose } = ownDatabase();
  await createOutboxTable(pool, { schema });
  const relay = () => {
    const started = startOutboxRelay({ pool, schema, jobs, pollMs: 5, ...telemetry });
    onTestFinished(() => started.stop());
  };
  onTestFinished(async () => {
    await jobs.close();
    await dispose();
  });
  const write = (options: object) =>
    transaction((client) =>
      publishInTransaction(client, sendEmail, payload, { schema, ...options }),
    );
  return { jobs, relay, write };
}

it('is told by the history when a job was taken over and by whom, whichever way it came in', async (context) => {
  const here = await setUp(context);
  const { bench, namespace, track } = here;
  const tracked = await track();
  const { way, post, isConnected } = await openGateway(context, here);
  const { jobs, relay, write } = await openShop(context, namespace);
  const correlationId = 'c';
  const queued = [await post({ correlationId }), (await write({ correlationId })).id];
  const scheduled = [(await write({ delay: '1h', idempotencyKey: 'w' })).id];
  for (const options of [{}, { idempotencyKey: 'k' }]) {
    queued.push((await jobs.publish(sendEmail, payload, options)).id);
  }
  // Accepted while nobody could publish them.
  way.setOpen(false);
  await eventually('the gateway knows', () => !isConnected());
  queued.push(await post(), await post({ idempotencyKey: 'h' }));
  scheduled.push(await post({ delay: '1h' }));
  const acceptedByMs = Date.now();
  for (const id of [...queued.slice(-2), ...scheduled.slice(-1)]) {
    await inState(bench.store, id, 'accepted');
  }
  way.setOpen(true);
  relay();
  for (const id of queued) await inState(bench.store, id, 'queued');
  for (const id of scheduled) await inState(bench.store, id, 'scheduled');
  await eventually('the outbox is empty', async () => {
    return (await bench.store.outbox.pending()).count === 0;
  });
  const all = [...queued, ...scheduled];
  const records = (await Promise.all(all.map((id) => bench.store.jobs.find(id)))).flat();
  expect(records).toHaveLength(all.length);
  for (const { createdAtMs, dueAtMs, service } of records) {
    expect(createdAtMs).toBeLessThanOrEqual(acceptedByMs);
    // Counted from when it was asked for.
    if (dueAtMs !== undefined) expect(dueAtMs - createdAtMs - 3_600_000).toBeLessThan(1_000);
    expect(['gateway', 'shop']).toContain(service);
  }
  const before = await fingerprint(bench.sql.bind(bench));
  expect(await rebuild(namespace)).toMatchObject({ code: 0 });
  await eventually('all are told', async () => (await tracked.metric('jobs_tracker_active')) === 1);
  expect(await fingerprint(bench.sql.bind(bench))).toEqual(before);
});
