import { defineJob, HEADERS } from '@warren/contracts';
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
} from '@warren/testing';
import { type ClaimsPort, handle } from '@warren/worker';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';

const job = defineJob({
  type: 'charge.run',
  schema: z.object({ cents: z.number() }),
  once: true,
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '1ms' } },
});

let here: Installation;
let history: SeenHistory;
let bench: Awaited<ReturnType<typeof openStoreBench>>;
beforeEach(async () => {
  bench = await openStoreBench();
  here = await install([job], { history: true });
  history = seeHistory(here);
});
afterEach(async () => {
  await history.close();
  await here.dispose();
  await bench.dispose();
});

const depth = () => here.admin.depth(here.topology.names.workQueue(job.type));
const claimed = (outcome: string) =>
  metricValue(here.metrics, 'jobs_once_claims_total', { outcome });

it('runs the duplicates of a job once at a time, and never again after it succeeded', async () => {
  const jobs = await here.connect();
  const [running, end] = [new Gate(), new Gate()];
  const runs = new Runs();
  const tokens: unknown[] = [];
  await here.work(
    [
      handle(job, async (one, { once }) => {
        runs.add(one);
        tokens.push(once?.token);
        running.open();
        if (one.attempt === 1) throw new Error('down');
        await end.opened;
        return { charged: one.payload.cents };
      }),
    ],
    { claims: bench.store.claims, claimLeaseMs: 1_200 },
  );
  const { id } = await jobs.publish(job, { cents: 5 });
  await runs.reach(2);
  // The same job twice more: one while it runs, one after it succeeded.
  await jobs.publish(job, { cents: 5 }, { id });
  await eventually('it is busy', async () => (await claimed('busy')) >= 1);
  end.open();
  await history.until(id, 'succeeded');
  await jobs.publish(job, { cents: 5 }, { id });
  await eventually('both are done', async () => (await claimed('done')) === 2);
  await eventually('nothing is left', async () => (await depth()) === 0);
  expect(runs.attemptsOf(id)).toEqual([1, 2]);
  // A number from the store, which grows.
  expect(Number(tokens[1])).toBeGreaterThan(Number(tokens[0]));
  await eventually('the kept result is told', () => {
    const results = history.of(id).flatMap((event) => (event.kind === 'succeeded' ? [event] : []));
    return results.length === 3 && results.every(({ result }) => result === '{"charged":5}');
  });
});

it('is not cancelled once it was done, whatever comes of its duplicates; what was not done is', async () => {
  const jobs = await here.connect({ history: true });
  const runs = new Runs();
  const worker = await here.work([handle(job, async (one) => runs.add(one))], {
    claims: bench.store.claims,
  });
  const { id: done } = await jobs.publish(job, { cents: 5 });
  await history.until(done, 'succeeded');
  await worker.stop();
  const { id: waiting } = await jobs.publish(job, { cents: 6 });
  await jobs.publish(job, { cents: 5 }, { id: done });
  await Promise.all([done, waiting].map((id) => jobs.cancel(id)));
  await here.work([handle(job, async (one) => runs.add(one))], { claims: bench.store.claims });
  await history.until(waiting, 'cancelled');
  await eventually('nothing is left', async () => (await depth()) === 0);
  expect(history.of(done).map(({ kind }) => kind)).not.toContain('cancelled');
  expect([runs.attemptsOf(done), runs.attemptsOf(waiting)]).toEqual([[1], []]);
});

it('has succeeded once it was done, however old or unreadable its duplicates are', async () => {
  const jobs = await here.connect();
  const runs = new Runs();
  const options = { claims: bench.store.claims };
  const worker = await here.work([handle(job, async (one) => runs.add(one))], options);
  const { id } = await jobs.publish(job, { cents: 5 });
  await history.until(id, 'succeeded');
  await worker.stop();
  const { names } = here.topology;
  const foreign = (body: string, headers = {}) =>
    here.admin.publish(names.jobs, job.type, body, { messageId: id, type: job.type, headers });
  await jobs.publish(job, { cents: 5 }, { id, expiresIn: '1ms' });
  await foreign('{"cents":5}', { [HEADERS.publishedAt]: 1, [HEADERS.attempt]: 2 });
  await foreign('{"cents":"five"}', { [HEADERS.attempt]: 2 });
  const { id: neverDone } = await jobs.publish(job, { cents: 6 }, { expiresIn: '1ms' });
  await here.work([handle(job, async (one) => runs.add(one))], options);
  await history.until(neverDone, 'expired');
  await eventually('all are done', async () => (await claimed('done')) === 3);
  await eventually('nothing is left', async () => (await depth()) === 0);
  const ends = () => history.of(id).filter(({ kind }) => !['queued', 'started'].includes(kind));
  await eventually('all ends are told', () => ends().length === 4);
  expect(new Set(ends().map(({ kind }) => kind))).toEqual(new Set(['succeeded']));
  expect([runs.attemptsOf(id), runs.attemptsOf(neverDone)]).toEqual([[1], []]);
});

it('gives jobs back while the store is away, and spends nothing', async () => {
  const jobs = await here.connect();
  const runs = new Runs();
  let isAway = true;
  const { claims } = bench.store;
  const flaky: ClaimsPort = {
    claim: (asked) => (isAway ? Promise.reject(new Error('away')) : claims.claim(asked)),
    renew: (held) => claims.renew(held),
    complete: (held) => (isAway ? Promise.reject(new Error('away')) : claims.complete(held)),
    release: (held) => claims.release(held),
  };
  await here.work(
    [
      handle(job, (one) => {
        runs.add(one);
        // Its result cannot be kept at first: the handler is not run again for that.
        isAway = runs.count === 1;
        if (isAway) setTimeout(() => (isAway = false), 300);
      }),
    ],
    { claims: flaky },
  );
  const { id } = await jobs.publish(job, { cents: 1 });
  await eventually('claims fail', async () => (await claimed('unavailable')) >= 2);
  expect(runs.count).toBe(0);
  isAway = false;
  await history.until(id, 'succeeded');
  expect(runs.of(id).map((run) => run.job.attempt)).toEqual([1]);
  await eventually('nothing is left', async () => (await depth()) === 0);
  expect(here.lines).toContainEqual(
    expect.objectContaining({ msg: expect.stringContaining('could not be kept') }),
  );
});

it('aborts a run whose claim was lost to another, and leaves the job to that', async () => {
  const jobs = await here.connect();
  const running = new Gate();
  const reasons: unknown[] = [];
  const { claims } = bench.store;
  const worker = await here.work(
    [
      handle(job, (one, { signal, once }) => {
        if (reasons.length > 0) return undefined;
        running.open();
        const { id } = one;
        void claims
          .release({ queue: job.type, id, token: once?.token ?? 0 })
          .then(() => claims.claim({ queue: job.type, id, owner: 'another', leaseMs: 1_500 }));
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reasons.push(signal.reason);
            reject(new Error('stopped'));
          });
        });
      }),
    ],
    { claims, claimLeaseMs: 600 },
  );
  const { id } = await jobs.publish(job, { cents: 1 });
  await running.opened;
  const told = await history.until(id, 'succeeded');
  expect(reasons).toMatchObject([{ code: 'CLAIM_LOST' }]);
  const kinds = told.map(({ kind }) => kind).filter((kind) => kind !== 'queued');
  expect(kinds.slice(0, 2)).toEqual(['started', 'interrupted']);
  expect(kinds.slice(-2)).toEqual(['started', 'succeeded']);
  expect(new Set(told.map(({ attempt }) => attempt))).toEqual(new Set([1]));
  expect(worker.isHealthy()).toBe(true);
});
