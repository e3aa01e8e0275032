import { SnoozeError } from '@warren/contracts';
import { anyJob, collect, type Installation, install, metricValue, Runs } from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', {
  retry: { maxAttempts: 2, backoff: { kind: 'steps', delays: ['60s'] } },
});
const brief = anyJob('probe.brief', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '1s' } },
});

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job, brief]);
});
afterEach(() => here.dispose());

const publish = (headers: Record<string, unknown>, messageId?: string) =>
  here.admin.publish(here.topology.names.jobs, job.type, '1', {
    headers,
    ...(messageId !== undefined && { messageId }),
  });

describe('a delay', () => {
  it('is not held up by a longer one that began before', async () => {
    const jobs = await here.connect();
    const failFirst = handle(job, (one) => {
      runs.add(one);
      throw new Error('again in a minute');
    });
    const failBriefly = handle(brief, (one) => {
      runs.add(one);
      if (one.attempt === 1) throw new Error('again in a second');
    });
    await here.work([failFirst, failBriefly]);
    await jobs.publish(job, 'long');
    await runs.reach(1);
    const { id } = await jobs.publish(brief, 'short');
    await runs.reach(3);
    const [first, second] = runs.of(id);
    const waitedMs = (second?.atMs ?? 0) - (first?.atMs ?? 0);
    expect(waitedMs).toBeGreaterThanOrEqual(990);
    expect(waitedMs).toBeLessThan(10_000);
    expect(await here.admin.depth(here.topology.names.retry({ name: '1m' }))).toBe(1);
  });

  it('between two tiers is travelled in hops, the attempt unspent', async () => {
    const jobs = await here.connect();
    const handler = handle(brief, (one) => {
      runs.add(one);
      if (runs.count === 1) throw new SnoozeError(1_800);
    });
    await here.work([handler]);
    const { id } = await jobs.publish(brief, 1);
    await runs.reach(2);
    expect(runs.attemptsOf(id)).toEqual([1, 1]);
    const [first, second] = runs.all;
    // 1 s, then 500 ms, then 250 ms: the tolerance of 250 ms is used up, and not more.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(1_550);
    expect(second?.job.headers).toEqual({});
  });
});

describe('x-not-before', () => {
  it('holds a job back wherever its message comes from', async () => {
    await here.work([handle(job, (one) => runs.add(one))]);
    const notBefore = Date.now() + 1_500;
    await publish({ 'x-not-before': notBefore }, 'with-id');
    await runs.reach(1);
    expect(runs.all[0]?.job).toMatchObject({ id: 'with-id', attempt: 1 });
    expect(runs.all[0]?.atMs).toBeGreaterThanOrEqual(notBefore);
  });

  it('holds a job back that is given its id here', async () => {
    await here.work([handle(job, (one) => runs.add(one))]);
    const notBefore = Date.now() + 1_500;
    await publish({ 'x-not-before': notBefore });
    await runs.reach(1);
    expect(runs.all[0]?.atMs).toBeGreaterThanOrEqual(notBefore);
  });

  it.each([
    ['no number', 'tomorrow'],
    ['a negative number', -1],
    ['a table', { at: 1 }],
    ['further ahead than any delay goes', Date.now() + 40 * 86_400_000],
  ])('is ignored when it is %s', async (_, value) => {
    await here.work([handle(job, (one) => runs.add(one))]);
    await publish({ 'x-not-before': value }, 'odd');
    await runs.reach(1);
    expect(runs.attemptsOf('odd')).toEqual([1]);
  });
});

describe('a job that nobody wants any more', () => {
  it('is dropped and counted after x-expires-at, also while it waited for a retry', async () => {
    const handler = handle(brief, (one) => {
      runs.add(one);
      throw new Error('again in a second');
    });
    await here.work([handler]);
    const { names } = here.topology;
    const send = (id: string, expiresAt: number) =>
      here.admin.publish(names.jobs, brief.type, '1', {
        messageId: id,
        headers: { 'x-expires-at': expiresAt },
      });
    await send('past', Date.now() - 1);
    await send('soon', Date.now() + 800);
    await send('later', Date.now() + 600_000);
    const [dead] = await collect(here.admin, names.deadQueue(brief.type), 1);
    expect(dead?.properties.messageId).toBe('later');
    expect(runs.attemptsOf('past')).toEqual([]);
    expect(runs.attemptsOf('soon')).toEqual([1]);
    expect(await metricValue(here.metrics, 'jobs_completed_total', { outcome: 'expired' })).toBe(2);
  });

  it('becomes a dead letter once it is older than maxAge', async () => {
    const aged = anyJob('probe.aged', { maxAge: '1h' });
    const there = await install([aged]);
    try {
      await there.work([handle(aged, (one) => runs.add(one))]);
      const { names } = there.topology;
      const anHourAgo = Date.now() - 3_601_000;
      const send = (messageId: string, rest: object) =>
        there.admin.publish(names.jobs, aged.type, '1', { messageId, ...rest });
      await send('by-header', { headers: { 'x-published-at': anHourAgo } });
      await send('by-timestamp', { timestamp: Math.floor(anHourAgo / 1_000) });
      await send('young', { timestamp: Math.floor(Date.now() / 1_000) });
      const dead = await collect(there.admin, names.deadQueue(aged.type), 2);
      expect(dead.map(({ properties }) => properties.messageId)).toEqual([
        'by-header',
        'by-timestamp',
      ]);
      expect(dead[0]?.properties.headers?.['x-dead-reason']).toBe('max_age');
      await runs.reach(1);
      expect(runs.all.map(({ job: { id } }) => id)).toEqual(['young']);
    } finally {
      await there.dispose();
    }
  });
});
