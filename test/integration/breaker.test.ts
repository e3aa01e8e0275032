import {
  defineJob,
  encodeControlSnapshot,
  NonRetryableError,
  type RetryOptions,
} from '@warren/contracts';
import {
  eventually,
  Gate,
  type Installation,
  install,
  Ledger,
  metricValue,
  Runs,
} from '@warren/testing';
import { handle, type Worker } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const retry: RetryOptions = {
  maxAttempts: 3,
  backoff: { kind: 'fixed', delay: '250ms', jitter: 'none' },
};
const mail = defineJob({ type: 'probe.mail', schema: z.object({ host: z.string() }), retry });
const payload = { host: 'a.example' };

let here: Installation;
beforeEach(async () => {
  here = await install([mail], { history: true });
});
afterEach(() => here.dispose());

/** What the jobs need: away or back, and who asked it. */
class Dependency {
  isAway = true;
  calls = 0;
  atOnce = 0;
  most = 0;
  /** Where it is set, calls wait for it. */
  gate: Gate | undefined;

  async call(): Promise<void> {
    this.calls += 1;
    this.atOnce += 1;
    this.most = Math.max(this.most, this.atOnce);
    await this.gate?.opened;
    await new Promise(setImmediate);
    this.atOnce -= 1;
    if (this.isAway) throw new Error('connect ECONNREFUSED');
  }
}

const stateOf = (worker: Worker, key?: string) =>
  worker.breakers()[0]?.circuits.find((one) => one.key === key)?.state;
const whenState = (worker: Worker, state: string, key?: string) =>
  eventually(`the circuit is ${state}`, () => stateOf(worker, key) === state);
const counted = (name: Parameters<typeof metricValue>[1], labels = {}) =>
  metricValue(here.metrics, name, labels);
const depth = (role: 'workQueue' | 'deadQueue') =>
  here.admin.depth(here.topology.names[role](mail.type));
const force = (breakers: Record<string, 'open' | 'closed'>) =>
  here.admin.publish(
    '',
    here.topology.names.control,
    encodeControlSnapshot({ pausedQueues: [], breakers, atMs: Date.now() }),
    { persistent: true },
  );

describe('while what the jobs need is away', () => {
  it('none becomes a dead letter, none spends an attempt once the circuit is open, and all are done afterwards', async () => {
    const dependency = new Dependency();
    dependency.isAway = false;
    const ledger = new Ledger();
    const worker = await here.work([
      handle(
        mail,
        async (job) => {
          await dependency.call();
          ledger.handle(job.id, job.attempt);
        },
        { concurrency: 8, breaker: { name: 'smtp', resetTimeout: '200ms' } },
      ),
    ]);
    const jobs = await here.connect();
    let published = 0;
    const load = setInterval(() => {
      published += 1;
      void jobs.publish(mail, payload).then(({ id }) => ledger.accept(id));
    }, 5);
    try {
      await eventually('it worked for a while', () => ledger.report().handled >= 60);
      const worked = dependency.calls;
      dependency.isAway = true;
      await whenState(worker, 'open');
      const failedClosed = dependency.calls - worked;
      // Time and again one is tried, and fails.
      await eventually(
        'it has been tried six times',
        async () =>
          (await counted('jobs_circuit_breaker_transitions_total', { to: 'half_open' })) >= 6,
      );
      // Those that opened it were at most as many as were under way.
      expect(failedClosed).toBeLessThanOrEqual(10 + 8);
      expect(dependency.calls - worked - failedClosed).toBeLessThanOrEqual(8 + 8);
    } finally {
      clearInterval(load);
    }
    expect(published).toBeGreaterThan(50);
    dependency.isAway = false;
    await eventually('all are published', () => ledger.report().accepted === published);
    await ledger.whenAllHandled(10_000);
    const { lost, duplicates, highestAttempt } = ledger.report();
    expect([lost, duplicates]).toEqual([[], 0]);
    // At most those that failed before it opened, each once.
    expect(highestAttempt).toBeLessThanOrEqual(2);
    expect(await counted('jobs_retries_scheduled_total', { job_type: mail.type })).toBeLessThan(10);
    expect(await depth('deadQueue')).toBe(0);
    expect(stateOf(worker)).toBe('closed');
  });

  it('exactly one delivery is tried half-open; what is held is given back at a stop', async () => {
    const dependency = new Dependency();
    const options = { concurrency: 5, breaker: { name: 'smtp', resetTimeout: '300ms' } } as const;
    const worker = await here.work([handle(mail, () => dependency.call(), options)]);
    const jobs = await here.connect();
    await Promise.all(Array.from({ length: 40 }, () => jobs.publish(mail, payload)));
    await whenState(worker, 'open');
    await eventually('nothing runs', () => dependency.atOnce === 0);
    dependency.gate = new Gate();
    await whenState(worker, 'half_open');
    await eventually('one is tried', () => dependency.atOnce === 1);
    await eventually(
      'others wait in hand',
      async () => (await counted('jobs_prefetched', { queue: queue() })) > 0,
    );
    expect(dependency.atOnce).toBe(1);
    dependency.gate.open();
    await whenState(worker, 'open');
    await worker.stop();
    await eventually('all are back or wait', async () => {
      const total = await inAllQueues();
      return total === 40;
    });
    expect(await depth('deadQueue')).toBe(0);
  });
});

const queue = () => here.topology.names.workQueue(mail.type);
async function inAllQueues(): Promise<number> {
  const queues = here.topology.queues.filter(({ role }) => role === 'work' || role === 'retry');
  let sum = 0;
  for (const { name } of queues) sum += (await here.admin.depth(name)) ?? 0;
  return sum;
}

it('a healthy dependency with room for 5 is never cut off by 50 handlers, nor by refused recipients', async () => {
  const dependency = new Dependency();
  dependency.isAway = false;
  const runs = new Runs();
  const worker = await here.work(
    [
      handle(
        mail,
        async (job, { breaker }) => {
          runs.add(job);
          await breaker('smtp').fire(() => dependency.call());
          if (runs.count % 2 === 0) throw new NonRetryableError('550 no such recipient');
        },
        { concurrency: 50 },
      ),
    ],
    { breakers: { smtp: { capacity: 5, volumeThreshold: 1, errorThresholdPercentage: 1 } } },
  );
  const jobs = await here.connect();
  await Promise.all(Array.from({ length: 300 }, () => jobs.publish(mail, payload)));
  await runs.reach(300);
  await eventually('all have ended', async () => (await counted('jobs_in_flight')) === 0);
  expect([runs.count, dependency.most]).toEqual([300, 5]);
  expect(await counted('jobs_circuit_breaker_transitions_total')).toBe(0);
  expect(stateOf(worker)).toBe('closed');
});

it('a call inside a handler: its queue waits too, and the attempt stays', async () => {
  const dependency = new Dependency();
  const done: number[] = [];
  const worker = await here.work(
    [
      handle(
        mail,
        async ({ attempt }, { breaker }) => {
          await breaker('geo').fire(() => dependency.call());
          done.push(attempt);
        },
        { concurrency: 4 },
      ),
    ],
    { breakers: { geo: { volumeThreshold: 3, resetTimeout: '1s' } } },
  );
  const jobs = await here.connect();
  await Promise.all(Array.from({ length: 20 }, () => jobs.publish(mail, payload)));
  await whenState(worker, 'open');
  await eventually(
    'its consumer is paused',
    async () =>
      (await counted('jobs_consumer_paused', { queue: queue(), reason: 'breaker' })) === 1,
  );
  dependency.isAway = false;
  await eventually('all are done', () => done.length === 20);
  expect(done.filter((attempt) => attempt > 1).length).toBeLessThan(3);
});

it('a key that is cut off does not hold up the others', async () => {
  const done = new Runs();
  let isAway = true;
  const worker = await here.work([
    handle(
      mail,
      (job) => {
        if (job.payload.host === 'down.example' && isAway) throw new Error('connect ETIMEDOUT');
        done.add(job);
      },
      {
        concurrency: 2,
        breaker: {
          name: 'webhook',
          volumeThreshold: 2,
          resetTimeout: '500ms',
          key: ({ payload: { host } }) => host,
        },
      },
    ),
  ]);
  const jobs = await here.connect();
  const hosts = ['down.example', 'a.example', 'down.example', 'b.example'];
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(hosts.map((host) => jobs.publish(mail, { host })));
  }
  await whenState(worker, 'open', 'down.example');
  await done.reach(10);
  isAway = false;
  await done.reach(20);
  expect(await depth('deadQueue')).toBe(0);
  expect(Math.max(...done.all.map(({ job }) => job.attempt))).toBeLessThanOrEqual(3);
});

it('an operator holds it open, and lets it go', async () => {
  const runs = new Runs();
  const worker = await here.work([handle(mail, (job) => runs.add(job), { breaker: 'smtp' })]);
  await force({ smtp: 'open', another: 'closed' });
  await whenState(worker, 'open');
  const jobs = await here.connect();
  await jobs.publish(mail, payload);
  await eventually('it waits at the broker', async () => (await depth('workQueue')) === 1);
  expect([runs.count, worker.breakers()[0]?.circuits[0]?.override]).toEqual([0, 'open']);
  await force({});
  await runs.reach(1);
  await whenState(worker, 'closed');
});
