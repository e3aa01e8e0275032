import { type Duration, defineJob, encodeControlSnapshot } from '@warren/contracts';
import {
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  openStoreBench,
  Runs,
  sharedDatabaseUrl,
} from '@warren/testing';
import { handle, type LimitsPort } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Grant, LimitedChild } from './support/limited-child.ts';
import { LIMITED, limitedCall } from './support/limited-job.ts';

const schema = z.object({ tenant: z.string(), n: z.number() });
const byTenant = defineJob({
  type: 'crm.sync',
  schema,
  concurrency: 2,
  limit: { rate: 1, per: '1h', by: 'tenant', rates: { paying: { rate: 1_000, per: '1s' } } },
});
const fair = defineJob({
  type: 'crm.fair',
  schema,
  concurrency: 1,
  prefetch: 200,
  fairBy: 'tenant',
});

let here: Installation;
let bench: Awaited<ReturnType<typeof openStoreBench>>;
beforeEach(async () => {
  here = await install([limitedCall, byTenant, fair], { history: true });
  bench = await openStoreBench({ namespace: here.namespace });
});
afterEach(async () => {
  await here.dispose();
  await bench.dispose();
});

const counted = (name: Parameters<typeof metricValue>[1], labels = {}) =>
  metricValue(here.metrics, name, labels);
const depth = (type: string) => here.admin.depth(here.topology.names.workQueue(type));

async function publish(
  tenant: string,
  count: number,
  type: typeof byTenant | typeof fair = byTenant,
): Promise<string[]> {
  const jobs = await here.connect();
  const payloads = Array.from({ length: count }, (_, n) => ({ tenant, n }));
  const done = await Promise.all(payloads.map((payload) => jobs.publish(type, payload)));
  return done.map(({ id }) => id);
}

/** Every number of grants took at least as long as the rule says, whenever between its two moments each was made. */
function expectKept(grants: readonly Grant[], intervalMs: number, burst: number): void {
  const sorted = [...grants].sort((one, other) => one.toMs - other.toMs);
  for (const [first, { fromMs }] of sorted.entries()) {
    for (const [last, { toMs }] of sorted.entries()) {
      const count = last - first + 1;
      if (count > burst)
        expect(toMs - fromMs).toBeGreaterThanOrEqual((count - burst) * intervalMs - 1);
    }
  }
}

it('lets all processes together start no more than the limit, whatever their clocks say', async () => {
  const count = Number(process.env['LIMIT_JOBS'] ?? 40);
  const env = {
    AMQP_URL: here.url,
    WARREN_NAMESPACE: here.namespace,
    DATABASE_URL: sharedDatabaseUrl(),
  };
  const children = [-2_000, 0, 2_000].map((skewMs) => new LimitedChild(env, skewMs));
  try {
    await eventually('all have begun', () => children.every(({ isStarted }) => isStarted), 60_000);
    const jobs = await here.connect();
    const all = Array.from({ length: count }, (_, n) => jobs.publish(limitedCall, { n }));
    await Promise.all(all);
    const runs = () => children.flatMap((child) => child.runs);
    await eventually('all have run', () => runs().length >= count, count * 1_200 + 50_000);
    const grants = children.flatMap((child) => child.grants);
    expect(grants.length).toBeGreaterThanOrEqual(count);
    const perMs = Number.parseInt(LIMITED.per, 10) * (LIMITED.per.endsWith('m') ? 60_000 : 1_000);
    expectKept(grants, perMs / LIMITED.rate, LIMITED.burst);
    expect(new Set(runs().map(({ id }) => id)).size).toBe(count);
    expect(runs().every(({ attempt }) => attempt === 1)).toBe(true);
    if (process.env['LIMIT_JOBS'])
      describeRuns(
        runs().map(({ atMs }) => atMs),
        perMs,
      );
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
  // Three processes begin, which on a busy machine takes a while.
}, 180_000);

describe('a limit for each key', () => {
  it('holds up no other key, spends nothing, and moves a job at most once while it waits', async () => {
    const ids = await publish('free', 300);
    const others = await publish('other', 1);
    const paying = await publish('paying', 100);
    const runs = new Runs();
    await here.work([handle(byTenant, (job) => runs.add(job))], { limits: bench.store.limits });
    await runs.reach(102, 60_000);
    const tenants = runs.payloads.map((payload) => (payload as { tenant: string }).tenant);
    expect(tenants.filter((tenant) => tenant === 'free')).toHaveLength(1);
    expect(runs.all.every(({ job }) => job.attempt === 1)).toBe(true);
    expect([...others, ...paying].every((id) => runs.of(id).length === 1)).toBe(true);
    expect(ids.filter((id) => runs.of(id).length > 0)).toHaveLength(1);
    const labels = { queue: here.topology.names.workQueue(byTenant.type) };
    await eventually('the rest has moved', async () => {
      const limited = await counted('jobs_rate_limited_total', { limiter: byTenant.type });
      return limited === 299 && (await depth(byTenant.type)) === 0;
    });
    expect(await counted('jobs_snoozed_total', labels)).toBeLessThanOrEqual(299);
  });

  it('is what an operator sets while workers run, and again what the code says', async () => {
    const set = (rate: number, per: Duration) =>
      here.admin.publish(
        '',
        here.topology.names.control,
        encodeControlSnapshot({
          pausedQueues: [],
          limits: { [byTenant.type]: { rate, per } },
          atMs: Date.now(),
        }),
        { persistent: true },
      );
    const runs = new Runs();
    const work = () =>
      here.work([handle(byTenant, (job) => runs.add(job))], { limits: bench.store.limits });
    // The first one declares the stream.
    await (await work()).stop();
    await set(1_000, '1s');
    await work();
    await publish('free', 30);
    await runs.reach(30, 50_000);
    const limited = () => counted('jobs_rate_limited_total', { limiter: byTenant.type });
    expect(await limited()).toBe(0);
    await set(1, '1h');
    // It may be a moment until they have heard of it.
    let round = 0;
    await eventually('jobs are limited', async () => {
      round += 1;
      await publish(`late ${round}`, 2);
      return (await limited()) > 0;
    });
  });
});

it('a tenant with many jobs does not hold up one with few among those that were fetched', async () => {
  const runs = new Runs();
  const begin = new Gate();
  await publish('flood', 150, fair);
  await publish('few', 5, fair);
  await here.work([
    handle(fair, async (job) => {
      runs.add(job);
      await begin.opened;
    }),
  ]);
  await eventually('all are fetched', async () => {
    return (
      (await counted('jobs_prefetched', { queue: here.topology.names.workQueue(fair.type) })) ===
      154
    );
  });
  begin.open();
  await runs.reach(155, 60_000);
  const tenants = runs.payloads.map((payload) => (payload as { tenant: string }).tenant);
  expect(tenants.lastIndexOf('few')).toBeLessThanOrEqual(10);
  const flood = runs.payloads.filter(
    (payload) => (payload as { tenant: string }).tenant === 'flood',
  );
  expect(flood.map((payload) => (payload as { n: number }).n)).toEqual([...Array(150).keys()]);
});

it('while the store is away jobs wait unspent, and go on when it is back', async () => {
  const runs = new Runs();
  let isAway = true;
  let asked = 0;
  const flaky: LimitsPort = {
    ask(requests) {
      asked += 1;
      return isAway ? Promise.reject(new Error('away')) : bench.store.limits.ask(requests);
    },
  };
  await here.work([handle(byTenant, (job) => runs.add(job))], { limits: flaky });
  await publish('paying', 20);
  await eventually('it was asked again', () => asked >= 4);
  const labels = { queue: here.topology.names.workQueue(byTenant.type), reason: 'rate_limit' };
  await eventually(
    'the consumer pauses',
    async () => (await counted('jobs_consumer_paused', labels)) === 1,
  );
  expect([runs.count, asked < 10]).toEqual([0, true]);
  isAway = false;
  await runs.reach(20, 60_000);
  expect(runs.all.every(({ job }) => job.attempt === 1)).toBe(true);
  await eventually(
    'the consumer goes on',
    async () => (await counted('jobs_consumer_paused', labels)) === 0,
  );
});

/** For a look by hand. */
function describeRuns(times: readonly number[], perMs: number): void {
  const sorted = [...times].sort((one, other) => one - other);
  const most = Math.max(
    ...sorted.map((from, at) => sorted.slice(at).filter((to) => to < from + perMs).length),
  );
  const tookMs = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  console.log(JSON.stringify({ runs: times.length, mostInAnyStretch: most, tookMs }));
}
