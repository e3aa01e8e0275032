import { defineEvent, newJobId } from '@warren/contracts';
import {
  anyJob,
  endingOf,
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
} from '@warren/testing';
import { handle, subscribe } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', { retry: { maxAttempts: 1 }, cancelGrace: '1s' });
const fact = defineEvent({ type: 'probe.told', schema: anyJob('probe.any').schema });
const TIMEOUT = { timeoutMs: 20_000 };

let here: Installation;
beforeEach(async () => {
  here = await install([job], { history: true, events: [fact], subscribers: ['one', 'two'] });
});
afterEach(() => here.dispose());

describe('waiting for a job', () => {
  it('gives what its handler returned, also a moment after it ended and to many at once', async () => {
    await here.work([handle(job, async ({ payload }) => ({ twice: Number(payload) * 2 }))], {
      history: true,
    });
    const jobs = await here.connect({ history: true });
    const { id } = await jobs.publish(job, 21);
    const both = [jobs.wait(id, TIMEOUT), jobs.wait(id, TIMEOUT)];
    expect(await Promise.all(both)).toEqual([{ twice: 42 }, { twice: 42 }]);
    expect(await jobs.wait(id, TIMEOUT)).toEqual({ twice: 42 });
    // Another client has not read anything yet: it looks back.
    const other = await here.connect({ history: true });
    expect(await other.wait(id, TIMEOUT)).toEqual({ twice: 42 });
    const many = Array.from({ length: 200 }, async (_, n) => {
      const one = await jobs.publish(job, n);
      return jobs.wait(one.id, TIMEOUT);
    });
    expect(await Promise.all(many)).toEqual(many.map((_, n) => ({ twice: n * 2 })));
  });

  it('says why there is no result', async () => {
    await here.work(
      [
        handle(job, async ({ payload }) => {
          if (payload === 'fail') throw new TypeError('no such order');
          return payload === 'large' ? 'x'.repeat(100_000) : undefined;
        }),
      ],
      { history: true },
    );
    const jobs = await here.connect({ history: true });
    const outcomeOf = async (payload: string, options = {}) => {
      const { id } = await jobs.publish(job, payload, options);
      return jobs.wait(id, TIMEOUT).catch((error: unknown) => error);
    };
    expect(await outcomeOf('nothing')).toBeUndefined();
    expect(await outcomeOf('fail')).toMatchObject({
      code: 'JOB_FAILED',
      reason: 'attempts_exhausted',
      failure: { name: 'TypeError', message: 'no such order' },
    });
    expect(await outcomeOf('large')).toMatchObject({ code: 'RESULT_MISSING' });
    const never = endingOf(jobs.wait(newJobId(), { timeoutMs: 50 }));
    expect(await never).toBe('WAIT_TIMEOUT');
  });

  it('tells the jobs of one event apart', async () => {
    await here.work(
      ['one', 'two'].map((as) => subscribe(fact, { as, timeout: '5s' }, async () => as)),
      { history: true },
    );
    const jobs = await here.connect({ history: true });
    const { id } = await jobs.emit(fact, 1);
    expect(await jobs.wait(id, { ...TIMEOUT, queue: 'two' })).toBe('two');
    expect(await jobs.wait(id, { ...TIMEOUT, queue: 'one' })).toBe('one');
  });

  it('ends with the client, and needs the history', async () => {
    const jobs = await here.connect({ history: true });
    const waiting = endingOf(jobs.wait(newJobId(), TIMEOUT));
    await jobs.close();
    expect(await waiting).toBe('SHUTTING_DOWN');
    const without = await here.connect();
    expect(await endingOf(without.wait(newJobId(), TIMEOUT))).toBe('CONFIG_INVALID');
    expect(await endingOf(without.cancel(newJobId()))).toBe('CONFIG_INVALID');
  });
});

describe('cancelling a job', () => {
  it('ends one that runs and one that waits; others go on', async () => {
    const gate = new Gate();
    const started: unknown[] = [];
    await here.work(
      [
        handle(
          job,
          async ({ payload }, { signal }) => {
            started.push(payload);
            if (payload !== 'held') return payload;
            const aborted = new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason as Error));
            });
            return Promise.race([aborted, gate.opened]);
          },
          { concurrency: 1 },
        ),
      ],
      { history: true },
    );
    const jobs = await here.connect({ history: true });
    const held = await jobs.publish(job, 'held');
    await eventually('it runs', () => started.length === 1);
    const waiting = await jobs.publish(job, 'waiting');
    const neighbour = await jobs.publish(job, 'neighbour');
    await jobs.cancel(waiting.id, { queue: job.type, by: 'ada' });
    await jobs.cancel(held.id);
    for (const { id } of [held, waiting]) {
      await expect(jobs.wait(id, TIMEOUT)).rejects.toMatchObject({ reason: 'cancelled' });
    }
    expect(await jobs.wait(neighbour.id, TIMEOUT)).toBe('neighbour');
    expect(started).toEqual(['held', 'neighbour']);
  });
});

describe('the history of a client', () => {
  it('tells of jobs that are queued and of no event, and takes no part in the count of jobs', async () => {
    const jobs = await here.connect({ history: true });
    await jobs.publish(job, 1);
    await jobs.publish(job, 2, { delay: '1h', correlationId: 'order 7' });
    await jobs.emit(fact, 3);
    await jobs.cancel(newJobId());
    await jobs.close();
    expect(await metricValue(here.metrics, 'jobs_history_events_total')).toBe(2);
    expect(await metricValue(here.metrics, 'jobs_history_dropped_total')).toBe(0);
    expect(await metricValue(here.metrics, 'jobs_published_total', { outcome: 'confirmed' })).toBe(
      3,
    );
  });
});
