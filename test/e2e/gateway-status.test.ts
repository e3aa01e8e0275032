import { openStoreBench, sharedBrokerUrl, sharedDatabaseUrl, unusedPort } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway, takeIds } from './support/gateway.ts';
import { acceptedId, mailJob, postJob } from './support/http.ts';

const brokerUrl = sharedBrokerUrl();
const TRIES = 2_000;
const CLIENTS = 50;

describe('a gateway with a store', () => {
  let bench: Awaited<ReturnType<typeof openStoreBench>>;
  let gateways: readonly GatewayProcess[];
  beforeAll(async () => {
    bench = await openStoreBench();
    const env = { WARREN_NAMESPACE: bench.namespace, DATABASE_URL: sharedDatabaseUrl() };
    gateways = await Promise.all([startGateway(brokerUrl, env), startGateway(brokerUrl, env)]);
  });
  afterAll(async () => {
    for (const gateway of gateways ?? []) await gateway.dispose();
    await bench?.dispose();
  });

  const at = (index: number) => (gateways[index] as GatewayProcess).url;
  const get = async (path: string) => {
    const response = await fetch(`${at(0)}${path}`);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const published = async () => takeIds(brokerUrl, (gateways[0] as GatewayProcess).queue);
  const outboxIsEmpty = () =>
    expect
      .poll(() => bench.sql('SELECT count(*)::int AS count FROM warren.outbox'), {
        timeout: 10_000,
      })
      .toEqual([{ count: 0 }]);

  it('finds each job straight after its 202, and publishes each', async () => {
    await published();
    const ids: string[] = [];
    const misses: unknown[] = [];
    const client = async () => {
      while (ids.length < TRIES) {
        const id = await acceptedId(at(0), mailJob('At once'));
        ids.push(id);
        const { status, body } = await get(`/v1/jobs/${id}`);
        if (status !== 200 || body['id'] !== id) misses.push([id, status, body]);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    expect(misses).toEqual([]);
    await outboxIsEmpty();
    const queued = await published();
    expect(ids.filter((id) => !queued.has(id))).toEqual([]);
    expect(queued.size).toBe(ids.length);
  });

  it('lists jobs page by page', async () => {
    const first = await get('/v1/jobs?type=email.send&limit=2');
    const { jobs, cursor } = first.body as { jobs: { id: string }[]; cursor: string };
    expect(jobs).toHaveLength(2);
    const second = await get(`/v1/jobs?type=email.send&limit=2&cursor=${cursor}`);
    expect(second.body['jobs']).not.toEqual(jobs);
    const altered = await get(`/v1/jobs?type=email.send&cursor=${cursor.slice(0, -4)}AAAA`);
    expect([altered.status, altered.body['code']]).toEqual([400, 'CURSOR_INVALID']);
    expect((await get('/v1/jobs/nobody')).status).toBe(404);
  });

  it('makes one job of many requests with one key, over two gateways at once', async () => {
    const key = { 'Idempotency-Key': 'order 17' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => postJob(at(n % 2), mailJob('Once'), key)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = new Set(answers.map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    const firsts = answers.filter(({ body }) => !('duplicate' in body));
    expect(firsts).toHaveLength(1);
    const other = await postJob(at(1), mailJob('Another'), key);
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    await outboxIsEmpty();
    expect(await published()).toEqual(ids);
  });

  it('loses nothing that it accepted when it is killed; the other one publishes what is left', async () => {
    const victim = await startGateway(brokerUrl, {
      WARREN_NAMESPACE: bench.namespace,
      DATABASE_URL: sharedDatabaseUrl(),
    });
    const ids: string[] = [];
    const client = async () => {
      for (;;) ids.push(await acceptedId(victim.url, mailJob('Killed')));
    };
    const clients = Promise.allSettled(Array.from({ length: CLIENTS }, client));
    await expect.poll(() => ids.length, { timeout: 30_000 }).toBeGreaterThan(200);
    await victim.program.stop('SIGKILL');
    await clients;
    // Instead of waiting until the leases of the dead one are over.
    await bench.sql('UPDATE warren.outbox SET due_at = now()');
    await outboxIsEmpty();
    const queued = await published();
    expect(ids.filter((id) => !queued.has(id))).toEqual([]);
  });
});

describe('a gateway whose store is away', () => {
  let gateway: GatewayProcess;
  afterAll(() => gateway?.dispose());

  it('publishes directly, says so once, and refuses what only the store can do', async () => {
    const port = await unusedPort();
    gateway = await startGateway(brokerUrl, {
      DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/none`,
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postJob(gateway.url, mailJob('Directly'))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const keyed = await postJob(gateway.url, mailJob('Key'), { 'Idempotency-Key': 'k' });
    expect([keyed.status, keyed.body.code]).toEqual([503, 'STORE_UNAVAILABLE']);
    const status = await fetch(`${gateway.url}/v1/jobs/${answers[0]?.body.id}`);
    expect([status.status, status.headers.get('retry-after')]).toEqual([503, '5']);
    const ready = await fetch(`${gateway.url}/readyz`);
    expect(ready.status).toBe(200);
    const warnings = gateway.program.lines.filter((line) => line.includes('the store is away'));
    expect(warnings).toHaveLength(1);
    const queued = await takeIds(brokerUrl, gateway.queue);
    expect([...queued].sort()).toEqual(answers.map(({ body }) => body.id).sort());
  });
});
