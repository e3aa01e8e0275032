import { NonRetryableError, RetryAfterError, SnoozeError } from '@warren/contracts';
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
  retry: { maxAttempts: 3, backoff: { kind: 'fixed', delay: '250ms' } },
  maxSnoozes: 2,
});

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job]);
});
afterEach(() => here.dispose());

const deadQueue = () => here.topology.names.deadQueue(job.type);
const succeeded = () => metricValue(here.metrics, 'jobs_completed_total', { outcome: 'succeeded' });

describe('a failed attempt', () => {
  it('is repeated exactly as often as allowed, then the job is a dead letter with its history', async () => {
    const jobs = await here.connect();
    const handler = handle(job, (one) => {
      runs.add(one);
      throw new TypeError(`boom ${one.attempt}`);
    });
    await here.work([handler]);
    const { id } = await jobs.publish(job, { n: 1 }, { headers: { tenant: 'a' } });
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(runs.attemptsOf(id)).toEqual([1, 2, 3]);
    expect(dead?.properties.messageId).toBe(id);
    expect(dead?.properties.headers).toMatchObject({
      'x-dead-reason': 'attempts_exhausted',
      'x-origin': here.topology.names.workQueue(job.type),
      'x-attempt': 3,
      tenant: 'a',
    });
    const error = String(dead?.properties.headers?.['x-error']);
    expect(error).toMatch(/^attempt 3: TypeError: boom 3\n {4}at .*retry\.test\.ts/);
    expect(error.split('\n').slice(-2)).toEqual([
      'attempt 2: TypeError: boom 2',
      'attempt 1: TypeError: boom 1',
    ]);
  });

  it('is followed by one that knows of it, and the job completes', async () => {
    const jobs = await here.connect();
    const handler = handle(job, (one) => {
      runs.add(one);
      if (one.attempt < 3) throw new Error('not yet');
    });
    await here.work([handler]);
    const { id } = await jobs.publish(job, { n: 1 }, { correlationId: 'c', headers: { t: true } });
    await eventually('it succeeded', async () => (await succeeded()) === 1);
    expect(runs.attemptsOf(id)).toEqual([1, 2, 3]);
    const [first, , third] = runs.all;
    // What the publisher said stays with the job; what the broker added on the way does not show.
    expect(third?.job).toEqual({ ...first?.job, attempt: 3 });
    expect((third?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(2 * 240);
    const retries = await metricValue(here.metrics, 'jobs_retries_scheduled_total', {});
    expect(retries).toBe(2);
    expect(await here.admin.depth(deadQueue())).toBe(0);
  });
});

describe('errors that decide', () => {
  it('NonRetryableError ends the job at once', async () => {
    const jobs = await here.connect();
    const handler = handle(job, (one) => {
      runs.add(one);
      throw new NonRetryableError('no such customer');
    });
    await here.work([handler]);
    const { id } = await jobs.publish(job, 1);
    const [dead] = await collect(here.admin, deadQueue(), 1);
    expect(runs.attemptsOf(id)).toEqual([1]);
    expect(dead?.properties.headers?.['x-dead-reason']).toBe('non_retryable');
    expect(dead?.properties.headers?.['x-error']).toContain('no such customer');
  });

  it('RetryAfterError is never early, and spends an attempt', async () => {
    const jobs = await here.connect();
    const delaysMs = [40, 700, 1_300];
    const thrownAtMs = new Map<string, number>();
    const handler = handle(job, (one) => {
      runs.add(one);
      if (one.attempt > 1) return;
      thrownAtMs.set(one.id, Date.now());
      throw new RetryAfterError(one.payload as number);
    });
    await here.work([handler]);
    const published = await Promise.all(delaysMs.map((delayMs) => jobs.publish(job, delayMs)));
    await runs.reach(2 * delaysMs.length);
    for (const [index, { id }] of published.entries()) {
      const [, second] = runs.of(id);
      expect(second?.job.attempt).toBe(2);
      const waitedMs = (second?.atMs ?? 0) - (thrownAtMs.get(id) ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(delaysMs[index] ?? 0);
    }
  });

  it('SnoozeError puts a job off unspent, as often as allowed', async () => {
    const jobs = await here.connect();
    const handler = handle(job, (one) => {
      runs.add(one);
      if (one.payload === 'twice' && runs.of(one.id).length > 2) return;
      throw new SnoozeError(250, 'not now');
    });
    await here.work([handler]);
    const { id: twice } = await jobs.publish(job, 'twice');
    const { id: always } = await jobs.publish(job, 'always');
    const [dead] = await collect(here.admin, deadQueue(), 1);
    await eventually('one succeeded', async () => (await succeeded()) === 1);
    expect(runs.attemptsOf(twice)).toEqual([1, 1, 1]);
    expect(runs.attemptsOf(always)).toEqual([1, 1, 1]);
    expect(dead?.properties.messageId).toBe(always);
    expect(dead?.properties.headers?.['x-dead-reason']).toBe('max_snoozes');
    expect(await metricValue(here.metrics, 'jobs_snoozed_total')).toBe(4);
  });
});
