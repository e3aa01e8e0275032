import { ShuttingDownError } from '@warren/contracts';
import {
  anyJob,
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
  retry: { maxAttempts: 3, backoff: { kind: 'fixed', delay: '250ms' } },
  concurrency: 2,
  prefetch: 10,
  cancelGrace: '300ms',
});

let here: Installation;
let runs: Runs;
let gate: Gate;
beforeEach(async () => {
  runs = new Runs();
  gate = new Gate();
  here = await install([job]);
});
afterEach(async () => {
  gate.open();
  await here.dispose();
});

const workQueue = () => here.topology.names.workQueue(job.type);
const value = (name: string, labels = {}) => metricValue(here.metrics, name, labels);
const payloadsBut = (count: number) => Array.from({ length: count }, (_, n) => n);

describe('a graceful stop', () => {
  it('takes nothing more, lets what runs end, and gives the rest back unspent', async () => {
    const jobs = await here.connect();
    const handler = handle(job, async (one) => {
      runs.add(one);
      await gate.opened;
    });
    const worker = await here.work([handler], { shutdownGraceMs: 20_000 });
    await Promise.all(payloadsBut(15).map((n) => jobs.publish(job, n)));
    await runs.reach(2);
    await eventually('others wait', async () => (await value('jobs_prefetched')) === 8);
    const stopping = worker.stop();
    await eventually('the rest is back', async () => (await here.admin.depth(workQueue())) === 13);
    await jobs.publish(job, 'late');
    expect(runs.count).toBe(2);
    gate.open();
    await stopping;
    expect(runs.count).toBe(2);
    expect(await value('jobs_completed_total', { outcome: 'succeeded' })).toBe(2);
    expect(await here.admin.depth(workQueue())).toBe(14);
    expect(await value('jobs_released_total')).toBe(8);
    expect(await value('jobs_late_settles_total')).toBe(0);
    // The next process runs them as first attempts, none of them a suspect.
    await here.work([handler]);
    await runs.reach(16);
    const rest = runs.all.slice(2).map(({ job: seen }) => [seen.attempt, seen.queue]);
    expect(rest).toEqual(Array.from({ length: 14 }, () => [1, workQueue()]));
  });

  it('aborts what is over the grace time and gives it back, attempt unspent', async () => {
    const jobs = await here.connect();
    const reasons: unknown[] = [];
    const first = handle(job, (one, { signal }) => {
      runs.add(one);
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(new Error('stopped as asked'));
        }),
      );
    });
    const worker = await here.work([first], { shutdownGraceMs: 100 });
    const { id } = await jobs.publish(job, 1);
    await runs.reach(1);
    await worker.stop();
    expect(reasons[0]).toBeInstanceOf(ShuttingDownError);
    expect(await here.admin.depth(workQueue())).toBe(1);
    await here.work([handle(job, (one) => runs.add(one))]);
    await runs.reach(2);
    expect(runs.attemptsOf(id)).toEqual([1, 1]);
  });

  it('gives back what ignores its abort as well, and does not wait for it', async () => {
    const jobs = await here.connect();
    const first = handle(job, async (one) => {
      runs.add(one);
      await gate.opened;
    });
    const worker = await here.work([first], { shutdownGraceMs: 100 });
    const { id } = await jobs.publish(job, 1);
    await runs.reach(1);
    await worker.stop();
    expect(await here.admin.depth(workQueue())).toBe(1);
    await here.work([handle(job, (one) => runs.add(one))]);
    await runs.reach(2);
    expect(runs.attemptsOf(id)).toEqual([1, 1]);
  });

  it('has given it back when the grace time is over, however long its cancel grace', async () => {
    const jobs = await here.connect();
    const handler = handle({ ...job, cancelGraceMs: 60_000 }, async (one) => {
      runs.add(one);
      await gate.opened;
    });
    const worker = await here.work([handler], { shutdownGraceMs: 1_000 });
    await jobs.publish(job, 1);
    await runs.reach(1);
    const startedAtMs = performance.now();
    await worker.stop();
    expect(performance.now() - startedAtMs).toBeLessThan(20_000);
    expect(await metricValue(here.metrics, 'jobs_released_total', { queue: workQueue() })).toBe(1);
    expect(await here.admin.depth(workQueue())).toBe(1);
  });

  it('moves what fails meanwhile: no attempt is lost or spent twice', async () => {
    const jobs = await here.connect();
    const first = handle(job, async (one) => {
      runs.add(one);
      await gate.opened;
      throw new Error('fails while the process stops');
    });
    const worker = await here.work([first], { shutdownGraceMs: 20_000 });
    const { id } = await jobs.publish(job, 1);
    await runs.reach(1);
    const stopping = worker.stop();
    gate.open();
    await stopping;
    expect(await value('jobs_retries_scheduled_total')).toBe(1);
    await here.work([handle(job, (one) => runs.add(one))]);
    await runs.reach(2);
    expect(runs.attemptsOf(id)).toEqual([1, 2]);
  });

  it('starts no handler any more, also for what is being checked', async () => {
    const checked = new Gate();
    const validate = async (payload: unknown) => {
      checked.open();
      await gate.opened;
      return { value: payload };
    };
    const slow = {
      ...job,
      schema: { '~standard': { version: 1 as const, vendor: 'test', validate } },
    };
    await here.connect().then((jobs) => jobs.publish(job, 1));
    const worker = await here.work([handle(slow, (one) => runs.add(one))], {
      shutdownGraceMs: 100,
    });
    await checked.opened;
    const stopping = worker.stop();
    setTimeout(() => gate.open(), 300);
    await stopping;
    expect(runs.count).toBe(0);
    await eventually('it is back', async () => (await here.admin.depth(workQueue())) === 1);
  });

  it('may be asked for twice, and before there was a job', async () => {
    const worker = await here.work([handle(job, (one) => runs.add(one))]);
    await Promise.all([worker.stop(), worker.stop()]);
    await worker.stop();
    expect(await here.admin.consumers(workQueue())).toBe(0);
  });
});
