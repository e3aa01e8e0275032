import type { PublishOptions } from '@warren/client';
import { canStartPrivateNode, type PrivateNode, startPrivateNode } from '@warren/local-broker';
import {
  anyJob,
  endingOf,
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  Runs,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', {
  concurrency: 1,
  retry: { maxAttempts: 5, backoff: { kind: 'fixed', delay: '1s' } },
});

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job]);
});
afterEach(() => here.dispose());

const depth = (queue: string) => here.admin.depth(queue);
const expired = () => metricValue(here.metrics, 'jobs_completed_total', { outcome: 'expired' });

describe('a delayed job', () => {
  it('runs once, never early, whatever the delay and however it is given', async () => {
    await here.work([handle(job, (one) => runs.add(one), { concurrency: 10 })]);
    const jobs = await here.connect();
    const dueMs = new Map<string, number>();
    const publish = async (delayMs: number, options: PublishOptions) => {
      const notBeforeMs = Date.now() + delayMs;
      dueMs.set((await jobs.publish(job, delayMs, options)).id, notBeforeMs);
    };
    for (const delayMs of [1, 100, 250, 1_000, 1_300, 2_100]) {
      await publish(delayMs, { delay: `${delayMs}ms` });
      await publish(delayMs, { runAt: new Date(Date.now() + delayMs) });
    }
    await runs.reach(dueMs.size);
    for (const { job: one, atMs } of runs.all) {
      // A time is given as a whole millisecond, and may be taken one earlier.
      expect(atMs).toBeGreaterThanOrEqual((dueMs.get(one.id) ?? Number.POSITIVE_INFINITY) - 1);
      expect(one).toMatchObject({ attempt: 1, headers: {} });
    }
    expect(runs.all.map(({ job: { id } }) => id).sort()).toEqual([...dueMs.keys()].sort());
  });

  it('waits in a tier, where it can be seen, and comes with the id that publish gave', async () => {
    const jobs = await here.connect();
    const { id } = await jobs.publish(job, { a: 1 }, { delay: '24h', correlationId: 'c' });
    const { names } = here.topology;
    expect(await depth(names.workQueue(job.type))).toBe(0);
    const [message] = await here.admin.take(names.retry({ name: '24h' }));
    expect(message?.fields.routingKey).toBe(names.workQueue(job.type));
    expect(message?.properties).toMatchObject({
      messageId: id,
      type: job.type,
      correlationId: 'c',
      deliveryMode: 2,
    });
    expect(JSON.parse(String(message?.content))).toEqual({ a: 1 });
  });

  it.each<[string, PublishOptions]>([
    ['of nothing', { delay: '0s' }],
    ['until a time that is over', { runAt: new Date(0) }],
  ])('by a delay %s is in its queue at once', async (_, options) => {
    const jobs = await here.connect();
    await jobs.publish(job, 1, options);
    expect(await depth(here.topology.names.workQueue(job.type))).toBe(1);
  });

  it('is refused where it is delayed for too long, and nothing is sent', async () => {
    const jobs = await here.connect();
    const tooFar = new Date(Date.now() + 86_410_000);
    expect(await endingOf(jobs.publish(job, 1, { delay: '25h' }))).toBe('CONFIG_INVALID');
    expect(await endingOf(jobs.publish(job, 1, { runAt: tooFar }))).toBe('CONFIG_INVALID');
    await jobs.publish(job, 2);
    const depths = await Promise.all(here.topology.queues.map(({ name }) => depth(name)));
    expect(depths.filter((messages) => messages !== 0)).toEqual([1]);
  });

  it('is taken again after the exchange of its tier was deleted', async () => {
    const jobs = await here.connect();
    const tier = here.topology.names.retry({ name: '10m' });
    await jobs.publish(job, 1, { delay: '10m' });
    await here.admin.run((channel) => channel.deleteExchange(tier));
    await jobs.publish(job, 2, { delay: '10m' });
    await here.admin.run((channel) => channel.unbindQueue(tier, tier, ''));
    await jobs.publish(job, 3, { delay: '10m' });
    expect(await depth(tier)).toBe(3);
  });

  it('runs in its own installation only', async () => {
    const there = await install([job]);
    const others = new Runs();
    try {
      await there.work([handle(job, (one) => others.add(one))]);
      await here.work([handle(job, (one) => runs.add(one))]);
      const [mine, theirs] = await Promise.all([here.connect(), there.connect()]);
      const sent = await Promise.all([
        mine.publish(job, 'mine', { delay: '300ms' }),
        theirs.publish(job, 'theirs', { delay: '300ms' }),
      ]);
      await Promise.all([runs.reach(1), others.reach(1)]);
      expect([...runs.all, ...others.all].map(({ job: { id } }) => id)).toEqual(
        sent.map(({ id }) => id),
      );
    } finally {
      await there.dispose();
    }
  });
});

describe('a job with expiresIn', () => {
  it('that waits out its time behind a busy worker is dropped and counted', async () => {
    const gate = new Gate();
    await here.work([
      handle(job, async (one) => {
        runs.add(one);
        await gate.opened;
      }),
    ]);
    const jobs = await here.connect();
    await jobs.publish(job, 'busy');
    await runs.reach(1);
    const briefly = await Promise.all(
      Array.from({ length: 5 }, () => jobs.publish(job, 'brief', { expiresIn: '200ms' })),
    );
    const { id } = await jobs.publish(job, 'long', { expiresIn: '10m' });
    const last = Date.now();
    await eventually('their time is over', () => Date.now() > last + 200);
    gate.open();
    await runs.reach(2);
    expect(runs.all[1]?.job.id).toBe(id);
    await eventually('all are counted', async () => (await expired()) === briefly.length);
    expect(runs.count).toBe(2);
    const { names } = here.topology;
    expect(await depth(names.deadQueue(job.type))).toBe(0);
    expect(here.lines.filter(({ msg }) => msg === 'job expired before it ran')).toHaveLength(5);
  });

  it('runs no more once its time is over between two attempts', async () => {
    await here.work([
      handle(job, (one) => {
        runs.add(one);
        throw new Error('again in a second');
      }),
    ]);
    const jobs = await here.connect();
    const { id } = await jobs.publish(job, 1, { expiresIn: '3s' });
    await eventually('it is counted', async () => (await expired()) === 1);
    const attempts = runs.attemptsOf(id);
    expect(attempts.length).toBeGreaterThanOrEqual(1);
    expect(attempts.length).toBeLessThanOrEqual(4);
    for (const { atMs } of runs.all) expect(atMs - (runs.all[0]?.atMs ?? 0)).toBeLessThan(3_000);
    expect(await depth(here.topology.names.deadQueue(job.type))).toBe(0);
  });

  it('counts its time from the publish, through a delay', async () => {
    const jobs = await here.connect();
    await jobs.publish(job, 'early enough', { delay: '250ms', expiresIn: '10m' });
    await jobs.publish(job, 'too late', { delay: '250ms', expiresIn: '260ms' });
    const queue = here.topology.names.workQueue(job.type);
    await eventually('both are due', async () => (await depth(queue)) === 2);
    await here.work([handle(job, (one) => runs.add(one))]);
    await runs.reach(1);
    await eventually('one is counted', async () => (await expired()) === 1);
    expect(runs.payloads).toEqual(['early enough']);
  });
});

describe.skipIf(!canStartPrivateNode())('a delayed job, over restarts of the broker', () => {
  let node: PrivateNode;
  beforeAll(async () => {
    node = await startPrivateNode();
  }, 90_000);
  afterAll(() => node?.stop());

  it('is neither lost nor early', async () => {
    const there = await install([job], { url: node.url });
    try {
      const jobs = await there.connect();
      const delays = [1_000, 2_500, 2_500, 6_500];
      const dueMs = new Map<string, number>();
      for (const delayMs of delays) {
        const notBeforeMs = Date.now() + delayMs;
        const { id } = await jobs.publish(job, delayMs, { delay: `${delayMs}ms` });
        dueMs.set(id, notBeforeMs);
      }
      await node.restart('stop');
      await node.restart('kill');
      const worker = handle(job, (one) => runs.add(one));
      await there.work([worker]);
      await runs.reach(delays.length, 60_000);
      for (const { job: one, atMs } of runs.all) {
        expect(atMs).toBeGreaterThanOrEqual(dueMs.get(one.id) ?? Number.POSITIVE_INFINITY);
        expect(one.attempt).toBe(1);
      }
      expect(new Set(runs.all.map(({ job: { id } }) => id))).toEqual(new Set(dueMs.keys()));
    } finally {
      await there.dispose();
    }
  });
});
