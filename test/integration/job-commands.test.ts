import { runAdmin } from '@warren/admin';
import { newJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import {
  anyJob,
  eventually,
  Gate,
  type Installation,
  install,
  openStoreBench,
  type StoreBench,
  seeHistory,
  sharedDatabaseUrl,
  takeIds,
  unusedPort,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run', { retry: { maxAttempts: 1 } });

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
beforeAll(async () => {
  here = await install([job], { history: true });
  bench = await openStoreBench({ namespace: here.namespace });
});
afterAll(async () => {
  await bench.dispose();
  await here.dispose();
});

const warren = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(args, {
    env: {
      AMQP_URL: here.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: here.namespace,
      ...env,
    },
    jobs: [job],
  });

const base = (id: string) => ({
  id,
  type: job.type,
  queue: job.type,
  atMs: 1_800_000_000_000,
  generation: 0,
  attempt: 1,
  run: newJobId(),
});
const tell = (...events: HistoryEvent[]) => bench.store.projection.apply(events);

describe('warren queues and warren health', () => {
  it('show where the jobs are and what is wrong', async () => {
    const missing = await warren(['health']);
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringMatching(/problem topology/) });
    expect(await warren(['topology', 'apply'])).toMatchObject({ code: 0 });
    expect(await warren(['health'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ok +store/),
    });
    const { names } = here.topology;
    for (const queue of [names.workQueue(job.type), names.deadQueue(job.type)]) {
      await here.admin.publish('', queue, '1', { messageId: 'x', persistent: true });
    }
    await tell({ kind: 'started', ...base('r'), worker: 'w' });
    const seen = await warren(['queues', '--interval', '1']);
    expect(seen.stdout).toMatch(/probe\.run +1 +1 +0 +0 +0 +1 +0 +0\.0 +-\n/);
    const health = await warren(['health', '--max-dead', '1', '--json']);
    expect(health.code).toBe(1);
    const { checks } = JSON.parse(health.stdout) as {
      checks: { name: string; problem?: string }[];
    };
    const wrong = checks.flatMap(({ name, problem }) => (problem === undefined ? [] : [name]));
    expect(wrong).toEqual(['consumers']);
    for (const queue of [names.workQueue(job.type), names.deadQueue(job.type)]) {
      await takeIds(here.url, queue);
    }
    const away = await warren(['health'], { AMQP_URL: `amqp://127.0.0.1:${await unusedPort()}` });
    expect(away).toMatchObject({ code: 3, stdout: expect.stringMatching(/problem broker/) });
  });
});

describe('warren queues --watch', () => {
  it('looks again and again until it is to end, and tells how fast what waits changes', async () => {
    const { names } = here.topology;
    const waiting = names.retry({ name: '24h' });
    await here.admin.publish('', waiting, '1', { messageId: 'r', persistent: true });
    for (const id of ['a', 'b', 'c']) {
      await here.admin.publish('', names.workQueue(job.type), '1', { messageId: id });
    }
    const end = new AbortController();
    const lines: string[] = [];
    const args = ['queues', '--watch', '--interval', '1', '--json'];
    const code = await runAdmin(args, {
      env: { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace },
      jobs: [job],
      isTerminal: false,
      signal: end.signal,
      err: () => {},
      out: (text) => {
        lines.push(text);
        if (lines.length === 1) void here.admin.take(names.workQueue(job.type));
        if (lines.length === 3) end.abort();
      },
    });
    expect(code).toBe(0);
    const looks = lines.map((text) => JSON.parse(text) as { queues: object[]; tiers: object[] });
    const ofJob = looks.map(({ queues }) =>
      queues.find((one) => 'queue' in one && one.queue === job.type),
    );
    expect(ofJob[0]).toMatchObject({ ready: 3 });
    expect(ofJob[0]).not.toHaveProperty('changePerSecond');
    expect(ofJob[1]).toMatchObject({ ready: 0, drainSeconds: 0 });
    expect((ofJob[1] as { changePerSecond: number }).changePerSecond).toBeLessThan(-1);
    expect(looks[0]?.tiers).toEqual([{ tier: '24h', waiting: 1 }]);
    await takeIds(here.url, waiting);
  });
});

describe('warren jobs', () => {
  it('lists, shows and tells the log, with results hidden and escapes disarmed', async () => {
    const one = base('job-1');
    await tell(
      { kind: 'started', ...one, worker: 'w' },
      { kind: 'log', ...one, seq: 1, level: 'info', message: 'said \u001b[2J' },
      { kind: 'succeeded', ...one, atMs: one.atMs + 5, durationMs: 5, result: '"a secret"' },
    );
    const list = await warren(['jobs', 'list', '--state', 'succeeded', '--json']);
    expect(JSON.parse(list.stdout)).toMatchObject({
      jobs: [{ id: 'job-1', resultProblem: expect.stringContaining('hidden') }],
      cursor: null,
    });
    const shown = await warren(['jobs', 'show', 'job-1']);
    expect(shown.stdout).toMatch(/state +succeeded/);
    expect(shown.stdout).not.toContain('a secret');
    expect((await warren(['jobs', 'show', 'job-1', '--show-pii'])).stdout).toContain('a secret');
    const logs = await warren(['jobs', 'logs', 'job-1', '--follow']);
    expect(logs).toMatchObject({ code: 0, stdout: expect.stringContaining('said \\u001b[2J') });
    expect(await warren(['jobs', 'show', 'nobody'])).toMatchObject({ code: 1 });
    expect(await warren(['jobs', 'cancel', 'job-1'])).toMatchObject({ code: 1 });
    expect(await warren(['jobs', 'list', '--state', 'lost'])).toMatchObject({ code: 2 });
    await tell({ kind: 'started', ...base('job-1'), queue: 'audit', worker: 'w' });
    expect(await warren(['jobs', 'show', 'job-1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--queue'),
    });
  });

  it('cancels what runs and retries what is dead, and writes both down', async ({
    onTestFinished,
  }) => {
    const history = seeHistory(here);
    onTestFinished(() => history.close());
    const running = new Gate();
    const ended = new Gate();
    let mustFail = true;
    await here.work([
      handle(job, async (one, { signal }) => {
        if (one.payload === 'fail' && mustFail) throw new Error('boom');
        if (one.payload !== 'hang') return;
        running.open();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        ended.open();
      }),
    ]);
    const jobs = await here.connect();
    const { id } = await jobs.publish(job, 'hang');
    await running.opened;
    await tell({ kind: 'started', ...base(id), worker: 'w' });
    expect(await warren(['jobs', 'cancel', id, '--reason', 'stuck'])).toMatchObject({ code: 0 });
    await ended.opened;
    const dead = await jobs.publish(job, 'fail');
    const deadQueue = here.topology.names.deadQueue(job.type);
    await eventually('it is dead', async () => (await here.admin.depth(deadQueue)) === 1);
    await tell({ kind: 'dead', ...base(dead.id), reason: 'attempts_exhausted' });
    mustFail = false;
    const retried = await warren(['jobs', 'retry', dead.id]);
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringContaining('generation 1') });
    expect(await here.admin.depth(deadQueue)).toBe(0);
    const { items } = await bench.store.audit.list({ limit: 10 });
    expect(items.map(({ action }) => action)).toEqual(['job.retry', 'job.cancel']);
    expect(items[1]).toMatchObject({ details: { id, reason: 'stuck' } });
    expect((await bench.store.jobs.find(dead.id))[0]).toMatchObject({
      state: 'queued',
      generation: 1,
    });
    // So a rebuild of the store finds it too.
    const told = await history.until(dead.id, 'replayed');
    expect(told).toContainEqual(expect.objectContaining({ kind: 'replayed', generation: 1 }));
  });
});
