import { defineJob } from '@warren/contracts';
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

const job = anyJob('probe.run', { retry: { maxAttempts: 1 }, concurrency: 4 });
const other = anyJob('probe.other', { retry: { maxAttempts: 1 }, concurrency: 2 });

/** A schema that answers later, and changes what it lets through. */
const lateSchema = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: async (value: unknown) => {
      await Promise.resolve();
      return typeof value === 'number'
        ? { value: { doubled: value * 2 } }
        : { issues: [{ message: 'not a number', path: ['n'] }] };
    },
  },
};
const late = defineJob({ type: 'probe.late', schema: lateSchema, retry: { maxAttempts: 1 } });

let here: Installation;
let runs: Runs;
beforeEach(async () => {
  runs = new Runs();
  here = await install([job, other, late]);
});
afterEach(() => here.dispose());

const completed = (outcome: string, queue = here.topology.names.workQueue(job.type)) =>
  metricValue(here.metrics, 'jobs_completed_total', { queue, outcome });

describe('a handler that returns', () => {
  it('gets the job as it was published, once, and completes it', async () => {
    const jobs = await here.connect();
    await here.work([handle(job, (one) => runs.add(one))]);
    const headers = { tenant: 'a' };
    const { id } = await jobs.publish(job, { n: 1 }, { correlationId: 'order-7', headers });
    await runs.reach(1);
    const { names } = here.topology;
    expect(runs.all[0]?.job).toMatchObject({
      id,
      type: job.type,
      payload: { n: 1 },
      attempt: 1,
      generation: 0,
      queue: names.workQueue(job.type),
      correlationId: 'order-7',
      headers,
    });
    expect(Math.abs((runs.all[0]?.job.publishedAtMs ?? 0) - Date.now())).toBeLessThan(30_000);
    await eventually('the job is counted', async () => (await completed('succeeded')) === 1);
    expect(await here.admin.depth(names.workQueue(job.type))).toBe(0);
    expect(runs.count).toBe(1);
  });

  it('may return or log anything, also what JSON cannot hold', async () => {
    const jobs = await here.connect();
    const odd: Record<string, unknown> = { big: 10n, nan: Number.NaN, fn: () => 1 };
    odd['self'] = odd;
    const handler = handle(job, (one, { log }) => {
      log.info({ odd, one }, 'odd things');
      log.error(odd);
      runs.add(one);
      return odd;
    });
    await here.work([handler]);
    await jobs.publish(job, 1);
    await eventually('the job is counted', async () => (await completed('succeeded')) === 1);
    expect(runs.count).toBe(1);
    const line = here.lines.find(({ msg }) => msg === 'odd things');
    expect(line).toMatchObject({ job_id: runs.all[0]?.job.id, job_type: job.type, attempt: 1 });
  });
});

describe('a handler that throws', () => {
  const thrower = new Proxy(new Error('x'), {
    get() {
      throw new Error('not readable');
    },
  });
  const odd: readonly unknown[] = [
    undefined,
    null,
    0,
    'just text',
    10n,
    Symbol('odd'),
    { code: 'RETRY_AFTER', delayMs: 'soon' },
    Object.freeze(Object.create(null)),
    thrower,
    Promise.resolve('never awaited'),
    new AggregateError([new Error('a'), 'b'], 'several'),
    new Error('ünïcode \u0000 \u001b[31m 漢 \ud800 lone'),
  ];

  it('may throw any value: each job ends as a dead letter with a readable error', async () => {
    const jobs = await here.connect();
    const handler = handle(job, (one) => {
      runs.add(one);
      throw odd[one.payload as number];
    });
    await here.work([handler]);
    await Promise.all(odd.map((_, index) => jobs.publish(job, index)));
    const queue = here.topology.names.deadQueue(job.type);
    const dead = await collect(here.admin, queue, odd.length);
    expect(dead.map(({ content }) => JSON.parse(String(content))).sort((a, b) => a - b)).toEqual(
      odd.map((_, index) => index),
    );
    for (const { properties } of dead) {
      expect(properties.headers?.['x-dead-reason']).toBe('attempts_exhausted');
      expect(properties.headers?.['x-error']).toMatch(/^attempt 1: \S/);
    }
    expect(runs.count).toBe(odd.length);
    expect(await completed('dead_lettered')).toBe(odd.length);
  });
});

describe('an asynchronous schema', () => {
  it('gives the handler its output, and sends what does not fit to the dead letters', async () => {
    const { names } = here.topology;
    await here.work([handle(late, (one) => runs.add(one))]);
    await here.admin.publish(names.jobs, late.type, '21', { messageId: 'good' });
    await here.admin.publish(names.jobs, late.type, '"x"', { messageId: 'bad' });
    await runs.reach(1);
    expect(runs.payloads).toEqual([{ doubled: 42 }]);
    const [dead] = await collect(here.admin, names.deadQueue(late.type), 1);
    expect(dead?.properties.messageId).toBe('bad');
    expect(dead?.properties.headers?.['x-dead-reason']).toBe('schema');
    expect(dead?.properties.headers?.['x-error']).toContain('n: not a number');
  });
});

describe('concurrency', () => {
  it('bounds the handlers at work, for each job type by itself', async () => {
    const jobs = await here.connect();
    const busy = { [job.type]: 0, [other.type]: 0 };
    const most = { [job.type]: 0, [other.type]: 0 };
    const count = async (one: Parameters<Runs['add']>[0]) => {
      busy[one.type] = (busy[one.type] ?? 0) + 1;
      most[one.type] = Math.max(most[one.type] ?? 0, busy[one.type] ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
      busy[one.type] = (busy[one.type] ?? 0) - 1;
      runs.add(one);
    };
    await Promise.all(Array.from({ length: 200 }, (_, n) => jobs.publish(n % 2 ? job : other, n)));
    await here.work([handle(job, count), handle(other, count)]);
    await runs.reach(200);
    expect(most).toEqual({ [job.type]: 4, [other.type]: 2 });
  });
});

describe('two workers in one process', () => {
  it('share a queue, and count into one registry', async () => {
    const jobs = await here.connect();
    const seenBy = [new Runs(), new Runs()];
    // Each holds what it has until both have something.
    const both = Promise.all(seenBy.map((seen) => seen.reach(1)));
    for (const seen of seenBy) {
      const handler = handle(job, async (one) => {
        seen.add(one);
        await both;
      });
      await here.work([handler]);
    }
    await Promise.all(Array.from({ length: 40 }, (_, n) => jobs.publish(job, n)));
    await eventually('all are counted', async () => (await completed('succeeded')) === 40);
    expect((seenBy[0]?.count ?? 0) + (seenBy[1]?.count ?? 0)).toBe(40);
  });
});
