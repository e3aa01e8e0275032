import { once } from 'node:events';
import {
  anyJob,
  collect,
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  Runs,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } },
  concurrency: 5,
});

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job]);
});
afterEach(() => here.dispose());

const workQueue = () => here.topology.names.workQueue(job.type);
const suspectQueue = () => here.topology.names.suspectQueue(job.type);
const deadQueue = () => here.topology.names.deadQueue(job.type);
const succeeded = (queue: string) =>
  metricValue(here.metrics, 'jobs_completed_total', { queue, outcome: 'succeeded' });

/** Rejected by a plain client, the broker counts each return as it counts one from a process that died. */
async function returned(count: number, times: number): Promise<void> {
  await here.admin.run(async (channel) => {
    for (let round = 0; round < times; round += 1) {
      const taken = [];
      while (taken.length < count) {
        const message = await channel.get(workQueue());
        if (message) taken.push(message);
      }
      for (const message of taken) channel.reject(message, true);
    }
  });
}

async function publishBeforeAnyWorker(payloads: readonly unknown[]): Promise<string[]> {
  const jobs = await here.connect();
  const published = await Promise.all(payloads.map((payload) => jobs.publish(job, payload)));
  return published.map(({ id }) => id);
}

describe('a job that was in hand when processes died', () => {
  it('once is run where it is', async () => {
    const [id] = await publishBeforeAnyWorker([1]);
    await returned(1, 1);
    await here.work([handle(job, (one) => runs.add(one))]);
    await runs.reach(1);
    expect(runs.all[0]?.job).toMatchObject({ id, attempt: 1, queue: workQueue() });
  });

  it('never, but has a forged count, is run all the same: at worst apart from others', async () => {
    const client = await here.connect();
    await client.publish(job, 'declares the queues');
    const headers = { 'x-delivery-count': 99 };
    await here.admin.publish(here.topology.names.jobs, job.type, '1', { messageId: 'm', headers });
    await here.admin.run(async (channel) => {
      const first = await channel.get(workQueue());
      const second = await channel.get(workQueue());
      if (first) channel.nack(first);
      if (second) channel.nack(second);
    });
    await here.work([handle(job, (one) => runs.add(one))]);
    await runs.reach(2);
    // From 4.3 a nack is no failed return: the broker leaves its own count out, and the forged one stays to be read.
    expect(runs.attemptsOf('m')).toEqual([1]);
    expect([workQueue(), suspectQueue()]).toContain(runs.of('m')[0]?.job.queue);
    expect(await here.admin.depth(deadQueue())).toBe(0);
  });

  it('twice is run apart, one at a time, attempts unspent, and completes there', async () => {
    const ids = await publishBeforeAnyWorker([1, 2, 3]);
    await returned(3, 2);
    let atOnce = 0;
    let most = 0;
    const handler = handle(job, async (one) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      runs.add(one);
    });
    await here.work([handler]);
    await runs.reach(3);
    expect(runs.all.map(({ job: { id } }) => id).sort()).toEqual([...ids].sort());
    for (const { job: seen } of runs.all) {
      expect(seen).toMatchObject({ attempt: 1, queue: suspectQueue() });
    }
    expect(most).toBe(1);
    await eventually('all are counted', async () => (await succeeded(suspectQueue())) === 3);
    expect(await metricValue(here.metrics, 'jobs_suspects_total', { queue: workQueue() })).toBe(3);
    expect(await here.admin.depth(deadQueue())).toBe(0);
    expect(await here.admin.depth(workQueue())).toBe(0);
  });

  it('does not hold up the others', async () => {
    const gate = new Gate();
    await publishBeforeAnyWorker(['suspect']);
    await returned(1, 2);
    const handler = handle(job, async (one) => {
      runs.add(one);
      if (one.payload === 'suspect') await gate.opened;
    });
    await here.work([handler]);
    await runs.reach(1);
    await publishBeforeAnyWorker([1, 2, 3]);
    await eventually('the others succeed', async () => (await succeeded(workQueue())) === 3);
    expect(await succeeded(suspectQueue())).toBe(0);
    gate.open();
    await eventually('it succeeds too', async () => (await succeeded(suspectQueue())) === 1);
  });

  it('stays apart when it is given back', async () => {
    const gate = new Gate();
    const [id] = await publishBeforeAnyWorker(['suspect']);
    await returned(1, 2);
    const handler = handle(job, async (one, { signal }) => {
      runs.add(one);
      if (runs.count > 1) return;
      gate.open();
      await once(signal, 'abort');
      signal.throwIfAborted();
    });
    const first = await here.work([handler], { shutdownGraceMs: 200 });
    await gate.opened;
    await first.stop();
    await eventually('it is back', async () => (await here.admin.depth(suspectQueue())) === 1);
    expect(await here.admin.depth(workQueue())).toBe(0);
    await here.work([handler]);
    await runs.reach(2);
    expect(runs.all.map(({ job: { queue } }) => queue)).toEqual([suspectQueue(), suspectQueue()]);
    expect(runs.attemptsOf(String(id))).toEqual([1, 1]);
  });

  it('fails like any other job: retried where it is, and dead from there', async () => {
    const [id] = await publishBeforeAnyWorker([1]);
    await returned(1, 2);
    const handler = handle(job, (one) => {
      runs.add(one);
      throw new Error('boom');
    });
    await here.work([handler]);
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(dead?.properties.messageId).toBe(id);
    expect(dead?.properties.headers).toMatchObject({
      'x-dead-reason': 'attempts_exhausted',
      'x-origin': suspectQueue(),
    });
    expect(runs.attemptsOf(String(id))).toEqual([1, 2]);
    expect(runs.all.map(({ job: { queue } }) => queue)).toEqual([suspectQueue(), suspectQueue()]);
  });

  it('is dead with reason poison when it was in hand alone three times', async () => {
    const jobs = await here.connect();
    const started = await here.work([handle(job, (one) => runs.add(one))]);
    await started.stop();
    await here.admin.publish('', suspectQueue(), '1', { messageId: 'killer' });
    await here.admin.run(async (channel) => {
      for (let round = 0; round < 3; round += 1) {
        const message = await eventually('it is there', async () => channel.get(suspectQueue()));
        channel.reject(message, true);
      }
    });
    await here.work([handle(job, (one) => runs.add(one))]);
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(dead?.properties.messageId).toBe('killer');
    expect(dead?.properties.headers).toMatchObject({
      'x-dead-reason': 'poison',
      'x-origin': suspectQueue(),
    });
    expect(runs.count).toBe(0);
    await jobs.publish(job, 'good');
    await runs.reach(1);
  });
});
