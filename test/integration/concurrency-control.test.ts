import { type ControlSnapshot, defineJob, encodeControlSnapshot } from '@warren/contracts';
import {
  eventually,
  Gate,
  type Installation,
  install,
  Ledger,
  metricValue,
  openStoreBench,
  sharedDatabaseUrl,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from './support/command.ts';

const job = defineJob({ type: 'probe.run', schema: z.object({}), concurrency: 1 });

let here: Installation;
beforeEach(async () => {
  here = await install([job], { history: true });
});
afterEach(() => here.dispose());

/** Handlers that are held until they are let go, one after the other, and who ran. */
class HeldHandlers {
  readonly ledger = new Ledger();
  readonly attempts: number[] = [];
  readonly #held: Gate[] = [];
  atOnce = 0;

  readonly registration = handle(job, async ({ id, attempt }) => {
    const gate = new Gate();
    this.#held.push(gate);
    this.atOnce += 1;
    await gate.opened;
    this.atOnce -= 1;
    this.attempts.push(attempt);
    this.ledger.handle(id, attempt);
  });

  letGo(count: number): void {
    for (const gate of this.#held.splice(0, count)) gate.open();
  }
}

const queue = () => here.topology.names.workQueue(job.type);
const control = (concurrency?: ControlSnapshot['concurrency']) =>
  here.admin.publish(
    '',
    here.topology.names.control,
    encodeControlSnapshot({ pausedQueues: [], concurrency, atMs: Date.now() }),
    { persistent: true },
  );
const whenLimit = (limit: number) =>
  eventually(
    `${limit} may run at once`,
    async () => (await metricValue(here.metrics, 'jobs_concurrency', { queue: queue() })) === limit,
  );

describe('how many run at once', () => {
  it('follows what is set while they run, and nothing is lost, run twice or spent', async () => {
    const handlers = new HeldHandlers();
    const { ledger } = handlers;
    const jobs = await here.connect();
    const worker = await here.work([handlers.registration]);
    for (let n = 0; n < 60; n += 1) ledger.accept((await jobs.publish(job, {})).id);
    const whenAtOnce = (count: number) =>
      eventually(`${count} run`, () => handlers.atOnce === count);
    await whenAtOnce(1);
    await control({ other: { concurrency: 3 }, [job.type]: { concurrency: 8 } });
    await whenAtOnce(8);
    // Those that run end as they would; nothing starts until fewer than two are left.
    await control({ [job.type]: { concurrency: 2, prefetch: 2 } });
    await whenLimit(2);
    handlers.letGo(6);
    await whenAtOnce(2);
    await eventually('the broker has no more out than that', async () => {
      handlers.letGo(1);
      return (await here.admin.depth(queue())) === 60 - ledger.report().handled - 2;
    });
    expect(handlers.atOnce).toBeLessThanOrEqual(2);
    // It outlives the process.
    const stopped = worker.stop();
    handlers.letGo(2);
    await stopped;
    await here.work([handlers.registration]);
    await whenAtOnce(2);
    // Taken back, it is as the code says.
    await control({});
    await whenLimit(1);
    await eventually('all have run', () => {
      handlers.letGo(1);
      return ledger.report().handled === 60;
    });
    expect(ledger.report()).toMatchObject({ lost: [], duplicates: 0, highestAttempt: 1 });
    expect(new Set(handlers.attempts)).toEqual(new Set([1]));
    await eventually('nothing is left', async () => (await here.admin.depth(queue())) === 0);
  });

  it('stays as it is after a snapshot that makes no sense', async () => {
    await here.work([new HeldHandlers().registration]);
    await control({ [job.type]: { concurrency: 5 } });
    await whenLimit(5);
    await control({ [job.type]: { concurrency: 0 } });
    await control({ [job.type]: { concurrency: 6 } });
    await whenLimit(6);
  });

  it('is what was set before such a snapshot also for workers that start later', async () => {
    const handlers = new HeldHandlers();
    const worker = await here.work([handlers.registration]);
    await control({ [job.type]: { concurrency: 4 } });
    await whenLimit(4);
    await control({ [job.type]: { concurrency: 0 } });
    await worker.stop();
    await here.work([handlers.registration]);
    const jobs = await here.connect();
    for (let n = 0; n < 5; n += 1) await jobs.publish(job, {});
    await eventually('as many run at once', () => handlers.atOnce === 4);
    await eventually('all have run', () => {
      handlers.letGo(1);
      return handlers.attempts.length === 5;
    });
  });

  it('finds itself where that is asked for, until an operator says a number', async () => {
    // Five calls at once; others wait for one of them to end.
    let free = 5;
    const waiting: (() => void)[] = [];
    const call = async () => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
    const jobs = await here.connect();
    const payloads = Array.from({ length: 3_000 }, () => ({}));
    for await (const result of jobs.publishMany(job, payloads)) expect(result).toHaveProperty('id');
    const concurrency = { max: 40, latency: '1m' } as const;
    await here.work([handle(job, call, { concurrency })]);
    const level = () => metricValue(here.metrics, 'jobs_concurrency', { queue: queue() });
    await eventually('more than at first run at once', async () => ((await level()) ?? 0) >= 4);
    await control({ [job.type]: { concurrency: 2 } });
    await whenLimit(2);
    await control({});
    await eventually('it is what was found again', async () => ((await level()) ?? 0) >= 3);
  });

  it('is switched by the command, which writes it down and refuses what makes no sense', async () => {
    const bench = await openStoreBench({ namespace: here.namespace });
    try {
      await here.work([new HeldHandlers().registration]);
      const env = { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace };
      const withStore = { ...env, DATABASE_URL: sharedDatabaseUrl() };
      const warren = (args: readonly string[], given: Record<string, string> = withStore) =>
        runCommand(['queue', ...args], { env: given, jobs: [job] });
      const set = ['concurrency', job.type, '7', '--prefetch', '9', '--reason', 'night'];
      expect(await warren(set)).toMatchObject({
        code: 0,
        stdout: 'probe.run: concurrency 7, prefetch 9, in each process\n',
      });
      await whenLimit(7);
      expect(await warren(['pause', job.type])).toMatchObject({ code: 0 });
      const consumers = () => here.admin.consumers(queue());
      await eventually('nobody consumes', async () => (await consumers()) === 0);
      expect(await warren(['concurrency', job.type], env)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('concurrency 7, prefetch 9'),
      });
      // Whatever somebody has written there meanwhile, the next change goes on from what made sense.
      await control({ [job.type]: { concurrency: 0 } });
      expect(await warren(['resume', job.type])).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('makes no sense'),
      });
      await eventually('it is consumed', async () => (await consumers()) === 1);
      await whenLimit(7);
      expect(await warren(['concurrency', job.type, 'reset'])).toMatchObject({ code: 0 });
      await whenLimit(1);
      const { items } = await bench.store.audit.list({ limit: 10 });
      expect(items.map(({ action, details }) => [action, details]).reverse()).toEqual([
        ['queue.concurrency', { queue: job.type, concurrency: 7, prefetch: 9, reason: 'night' }],
        ['queue.pause', { queue: job.type }],
        ['queue.resume', { queue: job.type }],
        ['queue.concurrency', { queue: job.type, reset: true }],
      ]);
      for (const [args, problem, given] of [
        [['concurrency', job.type, '0'], /from 1 to 10000.*pause/],
        [['concurrency', job.type, 'many'], /from 1 to 10000/],
        [['concurrency', job.type, '5', '--prefetch', '2'], /prefetch: at least the concurrency/],
        [['concurrency', job.type, 'reset', '--prefetch', '2'], /leave --prefetch out/],
        [['pause', 'No Name'], /No Name/],
        [['pause', job.type], /DATABASE_URL/, env],
        [['pause', job.type], /WARREN_HISTORY/, { ...withStore, WARREN_HISTORY: '0' }],
      ] as const) {
        const stderr = expect.stringMatching(problem);
        expect(await warren(args, given)).toMatchObject({ code: 2, stderr });
      }
      expect(await warren(['pause', 'no.such.queue'])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no.such.queue'),
      });
    } finally {
      await bench.dispose();
    }
  });
});
