import { BrokerSession } from '@warren/broker';
import { type LeaseLostError, newJobId } from '@warren/contracts';
import { replay } from '@warren/dead-letter';
import {
  eventually,
  Gate,
  type Installation,
  install,
  metricValue,
  openStoreBench,
  Runs,
  type SeenHistory,
  seeHistory,
  sharedDatabaseUrl,
  startProxy,
} from '@warren/testing';
import { handle, type LeasesPort, type WorkerOptions } from '@warren/worker';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';
import { count, countUp as job, startOf } from './support/long-job.ts';
import { ProgramChild } from './support/program-child.ts';

let here: Installation;
let history: SeenHistory;
let bench: Awaited<ReturnType<typeof openStoreBench>>;
let workers: Awaited<ReturnType<Installation['work']>>[] = [];
beforeAll(async () => {
  here = await install([job], { history: true });
  history = seeHistory(here);
  bench = await openStoreBench({ namespace: here.namespace });
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
  expect(await bench.sql('SELECT id FROM warren.leases')).toEqual([]);
});
afterAll(async () => {
  await history.close();
  await here.dispose();
  await bench.dispose();
});

async function work(
  handler: Parameters<typeof handle<typeof job>>[1],
  options: Partial<WorkerOptions> = {},
) {
  const worker = await here.work([handle(job, handler)], {
    leases: bench.store.leases,
    ...options,
  });
  workers.push(worker);
  return worker;
}

/** As the command shows them. */
async function queuesSeen() {
  const seen = await runCommand(['queues', '--json'], {
    env: {
      AMQP_URL: here.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: here.namespace,
    },
    jobs: [job],
  });
  return (JSON.parse(seen.stdout) as { queues: unknown[] }).queues;
}

const names = () => here.topology.names;
const depthOf = (queue: string) => here.admin.depth(queue);
const leased = (outcome: string) => metricValue(here.metrics, 'jobs_leases_total', { outcome });
const resultOf = (id: string) =>
  history.of(id).flatMap((event) => (event.kind === 'succeeded' ? [event.result] : []));

it('is taken over from the broker while it runs: seen in the store, run once, done once', async () => {
  const jobs = await here.connect();
  const [running, end] = [new Gate(), new Gate()];
  const runs = new Runs();
  await work(async (one) => {
    runs.add(one);
    running.open();
    await end.opened;
    return 'done';
  });
  const { id } = await jobs.publish(job, { to: 1 });
  await running.opened;
  const kept = { queue: job.type, from: names().workQueue(job.type), running: 1, expired: 0 };
  expect(await bench.store.leases.counts()).toEqual([kept]);
  expect(await metricValue(here.metrics, 'jobs_in_flight')).toBe(1);
  expect(await queuesSeen()).toMatchObject([{ ready: 0, leased: 1, expiredLeases: 0 }]);
  await jobs.publish(job, { to: 1 }, { id });
  await eventually('the copy is not needed', async () => (await leased('duplicate')) === 1);
  end.open();
  await history.until(id, 'succeeded');
  await eventually('it is done', async () => (await bench.store.leases.counts()).length === 0);
  expect([runs.attemptsOf(id), resultOf(id)]).toEqual([[1], ['"done"']]);
  expect(await depthOf(names().workQueue(job.type))).toBe(0);
});

it('goes on from its checkpoint in the next attempt, and anew after a replay', async () => {
  const jobs = await here.connect();
  const begun: [number, number][] = [];
  await work(async (one, context) => {
    begun.push([one.attempt, startOf(context)]);
    if (begun.length === 3) return;
    await Promise.all([1, 2, 3].map((n) => context.checkpoint({ at: one.attempt * 10 + n })));
    throw new Error('down');
  });
  const { id } = await jobs.publish(job, { to: 1 });
  await history.until(id, 'dead');
  expect(begun).toEqual([
    [1, 0],
    [2, 13],
  ]);
  await eventually(
    'it is a dead letter',
    async () => (await depthOf(names().deadQueue(job.type))) === 1,
  );
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  const source = { queue: names().deadQueue(job.type), workQueue: names().workQueue(job.type) };
  await replay({ session, topology: here.topology, source, holder: 'test' });
  await session.close();
  await history.until(id, 'succeeded');
  expect(begun.at(-1)).toEqual([1, 0]);
});

it('is cancelled while it runs, and handed over when its process stops, its attempt unspent', async () => {
  const jobs = await here.connect({ history: true });
  const running = new Gate();
  const stopping = await work(
    async (_one, context) => {
      await context.checkpoint({ at: 5 });
      running.open();
      await new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason as Error));
      });
    },
    { shutdownGraceMs: 500 },
  );
  const { id: gone } = await jobs.publish(job, { to: 1 });
  const { id } = await jobs.publish(job, { to: 2 });
  await running.opened;
  await jobs.cancel(gone);
  await history.until(gone, 'cancelled');
  await history.until(id, 'started');
  await eventually('it has a checkpoint', async () => {
    return (
      (await bench.sql('SELECT id FROM warren.leases WHERE checkpoint = \'{"at":5}\'')).length > 0
    );
  });
  await stopping.stop();
  expect(await bench.sql('SELECT state, crashes FROM warren.leases')).toEqual([
    { state: 'away', crashes: 0 },
  ]);
  await work(count);
  await history.until(id, 'succeeded');
  const attempts = history.of(id).flatMap((e) => (e.kind === 'started' ? [e.attempt] : []));
  expect([attempts, resultOf(id)]).toEqual([[1, 1], ['{"from":5}']]);
  expect(history.of(id).map(({ kind }) => kind)).toContain('interrupted');
});

it('waits while the store is away, and spends nothing', async () => {
  const jobs = await here.connect();
  let isAway = true;
  const { leases } = bench.store;
  const flaky: LeasesPort = {
    ...leases,
    take: (asked) => (isAway ? Promise.reject(new Error('away')) : leases.take(asked)),
    settle: (asked) => (isAway ? Promise.reject(new Error('away')) : leases.settle(asked)),
  };
  const runs = new Runs();
  await work(
    (one) => {
      runs.add(one);
      // Its end cannot be told at first: the handler is not run again for that.
      isAway = true;
      setTimeout(() => (isAway = false), 300);
    },
    { leases: flaky },
  );
  const { id } = await jobs.publish(job, { to: 1 });
  await eventually('it cannot be leased', async () => (await leased('unavailable')) >= 2);
  expect(runs.count).toBe(0);
  isAway = false;
  await history.until(id, 'succeeded');
  expect(runs.attemptsOf(id)).toEqual([1]);
});

it('is run once, and no crash is counted, where its lease was granted and the answer got lost', async ({
  onTestFinished,
}) => {
  const jobs = await here.connect();
  const proxy = await startProxy(sharedDatabaseUrl());
  onTestFinished(() => proxy.stop());
  const { leases } = await bench.open({ databaseUrl: proxy.url });
  const [unavailable, duplicates] = [await leased('unavailable'), await leased('duplicate')];
  proxy.cutAnswerTo('leases AS l (');
  const seen: unknown[] = [];
  const runs = new Runs();
  await work(
    async (one) => {
      runs.add(one);
      seen.push(...(await bench.sql('SELECT state, crashes FROM warren.leases')));
    },
    { leases },
  );
  const { id } = await jobs.publish(job, { to: 1 });
  await history.until(id, 'succeeded');
  expect(seen).toEqual([{ state: 'held', crashes: 0 }]);
  expect(runs.attemptsOf(id)).toEqual([1]);
  expect(await leased('unavailable'), 'the answer got lost').toBeGreaterThan(unavailable);
  expect(await leased('duplicate')).toBe(duplicates);
});

it('is run elsewhere from its checkpoint when its process is killed', async () => {
  const jobs = await here.connect();
  const env = {
    AMQP_URL: here.url,
    WARREN_NAMESPACE: here.namespace,
    DATABASE_URL: sharedDatabaseUrl(),
  };
  const child = new ProgramChild('long', env, 1_500);
  const { id } = await jobs.publish(job, { to: 1_000_000 });
  const reached = await eventually(
    'it has come so far',
    async () => {
      const [row] = await bench.sql('SELECT checkpoint FROM warren.leases');
      const at = Number(/\d+/.exec(String(row?.['checkpoint']))?.[0] ?? 0);
      return at >= 3 && at;
    },
    60_000,
  );
  await child.end('SIGKILL');
  expect(await depthOf(names().workQueue(job.type)), 'the broker has forgotten it').toBe(0);
  await work((_one, context) => ({ from: startOf(context) }), { claimLeaseMs: 3_000 });
  await history.until(id, 'succeeded');
  const [result = ''] = resultOf(id);
  expect((JSON.parse(result) as { from: number }).from).toBeGreaterThanOrEqual(reached);
  const attempts = history.of(id).flatMap((e) => (e.kind === 'started' ? [e.attempt] : []));
  expect(new Set(attempts)).toEqual(new Set([1]));
});

it('is aborted when its lease cannot be renewed, and what it still does changes nothing', async () => {
  const jobs = await here.connect();
  const { leases } = bench.store;
  let isAway = false;
  const cut =
    <Args extends unknown[], Answer>(ask: (...args: Args) => Promise<Answer>) =>
    (...args: Args) =>
      isAway ? Promise.reject(new Error('away')) : ask(...args);
  const partitioned: LeasesPort = {
    take: cut((asked) => leases.take(asked)),
    renew: cut((asked) => leases.renew(asked)),
    checkpoint: cut((asked) => leases.checkpoint(asked)),
    settle: cut((asked) => leases.settle(asked)),
    moved: cut((asked) => leases.moved(asked)),
    ended: cut((asked) => leases.ended(asked)),
    expired: cut((asked) => leases.expired(asked)),
    counts: cut(() => leases.counts()),
  };
  const [second, end] = [new Gate(), new Gate()];
  const seen: unknown[] = [];
  const stale = await work(
    async (_one, context) => {
      await context.checkpoint({ at: 7 });
      isAway = true;
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      seen.push((context.signal.reason as LeaseLostError).code);
      await context.checkpoint({ at: 1 }).catch((error: LeaseLostError) => seen.push(error.code));
      await second.opened;
      isAway = false;
      return { from: -1 };
    },
    { leases: partitioned, claimLeaseMs: 1_000 },
  );
  const { id } = await jobs.publish(job, { to: 1 });
  await eventually('it runs', () => isAway);
  await work(
    async (_one, context) => {
      second.open();
      await end.opened;
      return { from: startOf(context) };
    },
    { claimLeaseMs: 3_000 },
  );
  await second.opened;
  await stale.stop();
  end.open();
  await history.until(id, 'succeeded');
  expect([seen, resultOf(id)]).toEqual([['LEASE_LOST', 'LEASE_LOST'], ['{"from":7}']]);
  expect(await depthOf(names().workQueue(job.type))).toBe(0);
});

it('becomes a suspect, and poison, when it was running too often as its process died', async () => {
  const { leases } = bench.store;
  /** Runs that nobody renewed. */
  const die = async (from: string, deaths: number) => {
    const id = newJobId();
    const message = {
      id,
      exchange: names().due,
      routingKey: from,
      body: Buffer.from('{"to":1}'),
      properties: { messageId: id, type: job.type, contentType: 'application/json' },
    };
    const run = { queue: job.type, owner: 'dead', leaseMs: 1, generation: 0, attempt: 1, message };
    for (let n = 0; n < deaths; n += 1) {
      const request = newJobId();
      const take = () => leases.take({ ...run, request });
      await eventually('it runs again', async () => (await take()).kind === 'taken');
    }
    return id;
  };
  const suspect = await die(names().workQueue(job.type), 2);
  const poison = await die(names().suspectQueue(job.type), 3);
  const runs = new Runs();
  await work((one) => runs.add(one), { claimLeaseMs: 1_000 });
  await history.until(suspect, 'succeeded');
  expect(runs.of(suspect)[0]?.job.queue).toBe(names().suspectQueue(job.type));
  const dead = await history.until(poison, 'dead');
  expect(dead.at(-1)).toMatchObject({ reason: 'poison' });
  expect(runs.of(poison)).toEqual([]);
});
