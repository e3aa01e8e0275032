import { JobTimeoutError } from '@warren/contracts';
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
import { handle, type JobContext } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', {
  retry: { maxAttempts: 1 },
  timeout: '200ms',
  cancelGrace: '300ms',
  concurrency: 2,
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
const deadQueue = () => here.topology.names.deadQueue(job.type);
const aborted = ({ signal }: JobContext): Promise<unknown> =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
  );
const succeeded = () =>
  metricValue(here.metrics, 'jobs_completed_total', { queue: workQueue(), outcome: 'succeeded' });
const abandoned = () =>
  metricValue(here.metrics, 'jobs_abandoned_handlers', { queue: workQueue() });

describe('a handler over its timeout', () => {
  it('is told by its signal, why, and fails when it stops', async () => {
    const jobs = await here.connect();
    let reason: unknown;
    const handler = handle(job, async (_, context) => {
      reason = await aborted(context);
      throw new Error('stopped as asked');
    });
    await here.work([handler]);
    const { id } = await jobs.publish(job, 1);
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(reason).toBeInstanceOf(JobTimeoutError);
    expect(dead?.properties.messageId).toBe(id);
    expect(dead?.properties.headers?.['x-dead-reason']).toBe('attempts_exhausted');
    expect(dead?.properties.headers?.['x-error']).toContain('JOB_TIMEOUT');
    expect(await abandoned()).toBe(0);
  });

  it('has done its work if it returns within the grace time', async () => {
    const jobs = await here.connect();
    const handler = handle(job, async (_, context) => void (await aborted(context)));
    await here.work([handler]);
    await jobs.publish(job, 1);
    await eventually('the job succeeded', async () => (await succeeded()) === 1);
    expect(await here.admin.depth(deadQueue())).toBe(0);
  });

  it('is settled as failed when it ignores the signal, keeps its slot and is counted', async () => {
    const jobs = await here.connect();
    const handler = handle(job, async (one) => {
      runs.add(one);
      if (one.payload === 'stuck') await gate.opened;
    });
    const worker = await here.work([handler]);
    await jobs.publish(job, 'stuck');
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(dead?.properties.headers?.['x-error']).toContain('JOB_TIMEOUT');
    await eventually('it is counted', async () => (await abandoned()) === 1);
    expect(worker.isHealthy()).toBe(true);
    // The other slot goes on, alone.
    await Promise.all([1, 2, 3].map((n) => jobs.publish(job, n)));
    await eventually('the others succeed', async () => (await succeeded()) === 3);
    expect(await abandoned()).toBe(1);
    gate.open();
    await eventually('the slot is free', async () => (await abandoned()) === 0);
    expect(await succeeded()).toBe(3);
  });

  it('makes its process unhealthy when no slot is left, until one is free', async () => {
    const jobs = await here.connect();
    const handler = handle(job, async (one) => {
      runs.add(one);
      if (one.payload === 'stuck') await gate.opened;
    });
    const worker = await here.work([handler]);
    await Promise.all(['stuck', 'stuck', 'waits'].map((payload) => jobs.publish(job, payload)));
    await collect(here.admin, deadQueue(), 2);
    await eventually('no slot is left', () => !worker.isHealthy());
    expect(await abandoned()).toBe(2);
    expect(runs.payloads).not.toContain('waits');
    gate.open();
    await eventually('a slot is free', () => worker.isHealthy());
    await eventually('the job that waited runs', async () => (await succeeded()) === 1);
    expect(await here.admin.depth(deadQueue())).toBe(0);
  });
});
