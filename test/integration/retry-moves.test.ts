import {
  anyJob,
  collect,
  eventually,
  type Installation,
  install,
  metricValue,
  Runs,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '500ms' } },
  concurrency: 2,
  prefetch: 2,
});

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job]);
});
afterEach(() => here.dispose());

const names = () => here.topology.names;
const succeeded = () => metricValue(here.metrics, 'jobs_completed_total', { outcome: 'succeeded' });
const failOnce = () =>
  handle(job, (one) => {
    runs.add(one);
    if (one.attempt === 1) throw new Error('once');
  });

describe('a move whose target is gone', () => {
  const tier = { name: '500ms' };
  it.each([
    [
      'the queue of a retry tier',
      () => here.admin.run((ch) => ch.deleteQueue(names().retry(tier))),
    ],
    [
      'the exchange of a tier',
      () => here.admin.run((ch) => ch.deleteExchange(names().retry(tier))),
    ],
    ['the exchange that brings back', () => here.admin.run((ch) => ch.deleteExchange(names().due))],
  ])('heals by itself: %s', async (_, destroy) => {
    await here.work([failOnce()]);
    await destroy();
    // Without an id it is moved through the exchange that brings back, before it runs.
    const ids = ['a', 'b', 'c'];
    await here.admin.publish(names().jobs, job.type, '1', {});
    for (const messageId of ids) {
      await here.admin.publish(names().jobs, job.type, '1', { messageId });
    }
    await eventually('all succeed', async () => (await succeeded()) === 4, 40_000);
    for (const id of ids) expect(runs.attemptsOf(id)).toEqual([1, 2]);
    expect(runs.count).toBe(8);
    const paused = await metricValue(here.metrics, 'jobs_consumer_paused');
    expect(paused).toBe(0);
    expect(await here.admin.depth(names().deadQueue(job.type))).toBe(0);
  });
});

describe('a queue that was paused because a move failed', () => {
  it('goes on at once, also beside a handler that takes long', async () => {
    let end: () => void = () => {};
    const long = new Promise<void>((resolve) => {
      end = resolve;
    });
    const handler = handle(job, async (one) => {
      runs.add(one);
      if (one.payload === 'long') await long;
      if (one.payload === 'fails' && one.attempt === 1) throw new Error('once');
    });
    await here.work([handler]);
    try {
      const jobs = await here.connect();
      await jobs.publish(job, 'long');
      await runs.reach(1);
      await here.admin.run((channel) => channel.deleteQueue(names().retry({ name: '500ms' })));
      const { id } = await jobs.publish(job, 'fails');
      await eventually('the other one succeeds', async () => (await succeeded()) === 1);
      expect(runs.attemptsOf(id)).toEqual([1, 2]);
      await Promise.all([1, 2, 3].map((n) => jobs.publish(job, n)));
      await eventually('later ones succeed', async () => (await succeeded()) === 4);
    } finally {
      end();
    }
    await eventually('the long one succeeds', async () => (await succeeded()) === 5);
    expect(await collect(here.admin, names().unroutable, 0)).toEqual([]);
  });
});
