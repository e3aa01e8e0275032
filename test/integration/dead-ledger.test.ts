import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrokerSession } from '@warren/broker';
import { defineJob } from '@warren/contracts';
import {
  eventually,
  type Installation,
  install,
  openStoreBench,
  type StoreBench,
  sharedDatabaseUrl,
  startProxy,
  takeIds,
} from '@warren/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from './support/command.ts';

const job = defineJob({ type: 'mail.probe', schema: z.object({}) });

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
beforeAll(async () => {
  here = await install([job]);
  const session = await BrokerSession.open({
    connection: { urls: [here.url] },
    service: 'test',
  });
  await session.declare(here.topology);
  await session.close();
  bench = await openStoreBench({ namespace: here.namespace });
});
afterAll(async () => {
  await bench.dispose();
  await here.dispose();
});

const deadQueue = () => here.topology.names.deadQueue(job.type);
const workQueue = () => here.topology.names.workQueue(job.type);
const depth = async (queue: string) => (await here.admin.depth(queue)) ?? 0;

async function bury(...ids: string[]): Promise<void> {
  const before = await depth(deadQueue());
  await here.admin.run(async (channel) => {
    for (const messageId of ids) {
      const headers = { tenant: messageId.slice(0, 1) };
      const properties = { messageId, type: job.type, persistent: true, headers };
      channel.sendToQueue(deadQueue(), Buffer.from('{}'), properties);
    }
  });
  await eventually('all are dead', async () => {
    return (await depth(deadQueue())) === before + ids.length;
  });
}

const inDatabase = { DATABASE_URL: sharedDatabaseUrl() };
const command = (args: readonly string[], signal?: AbortSignal, kept: object = inDatabase) =>
  runCommand(['dead', ...args], {
    env: {
      AMQP_URL: here.url,
      WARREN_NAMESPACE: here.namespace,
      WARREN_HISTORY: 'false',
      ...kept,
    },
    jobs: [job],
    signal,
  });
const newest = async () => (await bench.store.letterRuns.list({ limit: 1 })).items[0];

it('goes on with exactly what was chosen, and shows what was done', async () => {
  const meant = Array.from({ length: 20 }, (_, at) => `a-${at}`);
  await bury(...meant, 'b-1');
  const stop = new AbortController();
  const args = ['replay', job.type, '--header', 'tenant=a', '--reason', 'mail is back'];
  const running = command([...args, '--rate', '1'], stop.signal);
  await eventually('some are replayed', async () => ((await newest())?.done ?? 0) >= 1);
  stop.abort();
  const first = await running;
  const { id = '', done = 0 } = (await newest()) ?? {};
  expect(first).toMatchObject({ code: 1, stdout: expect.stringContaining(`--resume ${id}`) });
  const shown = await command(['ledger', id]);
  expect(shown.stdout).toMatch(/state +stopped/);
  for (const part of ['mail is back', '@', '"tenant": "a"', `--resume ${id}`]) {
    expect(shown.stdout).toContain(part);
  }

  await bury('a-late');
  const again = ['replay', '--resume', id, '--rate', '1000'];
  expect(await command([...again, '--limit', '1'])).toMatchObject({ code: 2 });
  expect(await command([job.type, ...again])).not.toMatchObject({ code: 0 });
  expect(await command(['discard', '--resume', id])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('dead replay'),
  });
  const second = await command([...again, '--json']);
  expect(JSON.parse(second.stdout)).toMatchObject({
    replayed: 20 - done,
    ledger: id,
    stopped: null,
  });
  expect(second.code).toBe(0);
  expect((await takeIds(here.url, workQueue())).sort()).toEqual([...meant].sort());
  expect((await takeIds(here.url, deadQueue())).sort()).toEqual(['a-late', 'b-1']);
  const listed = JSON.parse((await command(['ledger', '--json'])).stdout) as { runs: unknown[] };
  expect(listed.runs).toMatchObject([{ id, state: 'ended', chosen: 20, done: 20, starts: 2 }]);
  expect(await command(again)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing of it is left'),
  });
});

it.each([
  ['the database', async () => inDatabase],
  ['a file', async () => ({ WARREN_DATA_DIR: await mkdtemp(join(tmpdir(), 'warren-two-')) })],
])('of two at once on a queue one is told who is at it, with its ledger in %s', async (_, make) => {
  const kept = await make();
  const ids = Array.from({ length: 10 }, (_, at) => `a-${at}`);
  await bury(...ids);
  const stop = new AbortController();
  const one = command(['replay', job.type, '--rate', '1', '--json'], stop.signal, kept);
  await eventually('it is at it', async () => (await depth(workQueue())) > 0);
  const other = await command(['replay', job.type, '--json'], undefined, kept);
  expect(other).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/mail\.probe\.dead is held by .+, process \d+, since/) as string,
  });
  stop.abort();
  const { ledger } = JSON.parse((await one).stdout) as { ledger: string };
  const again = await command(['replay', '--resume', ledger, '--rate', '1000'], undefined, kept);
  expect(again).toMatchObject({ code: 0 });
  // The second chose nothing: it is in no ledger.
  const { stdout } = await command(['ledger', '--json'], undefined, kept);
  const { runs } = JSON.parse(stdout) as { runs: unknown[] };
  const whole = { id: ledger, state: 'ended', chosen: 10, done: 10, starts: 2 };
  expect(runs[0]).toMatchObject(whole);
  if ('WARREN_DATA_DIR' in kept) expect(runs.length).toBe(1);
  expect((await takeIds(here.url, workQueue())).sort()).toEqual(ids);
  if ('WARREN_DATA_DIR' in kept) await rm(kept.WARREN_DATA_DIR, { recursive: true });
});

it('goes on with a discard as with a replay', async () => {
  await bury('a-1', 'a-2', 'a-3');
  const stop = new AbortController();
  stop.abort();
  const args = ['discard', job.type, '--all', '--reason', 'test data', '--yes'];
  expect(await command(args, stop.signal)).toMatchObject({ code: 1 });
  const { id = '', ...begun } = (await newest()) ?? {};
  expect(begun).toMatchObject({ kind: 'discard', state: 'stopped', done: 0, reason: 'test data' });
  expect(await command(['discard', '--resume', id])).toMatchObject({ code: 0 });
  expect(await depth(deadQueue())).toBe(0);
});

it('stops between two letters when its ledger is lost, and goes on when it is there again', async () => {
  const ids = Array.from({ length: 100 }, (_, at) => `a-${at}`);
  await bury(...ids);
  const way = await startProxy(sharedDatabaseUrl());
  const lost = { DATABASE_URL: way.url };
  const running = command(['replay', job.type, '--rate', '10', '--json'], undefined, lost);
  await eventually('some are replayed', async () => {
    const run = await newest();
    return run?.state === 'running' && run.done >= 1;
  });
  way.setOpen(false);
  const first = await running;
  expect(first).toMatchObject({ code: 3, stderr: expect.stringContaining('audit') });
  const { stopped, ledger } = JSON.parse(first.stdout) as Record<string, unknown>;
  expect(stopped).toMatchObject({ reason: 'ledger_lost' });
  way.stop();
  const second = await command(['replay', '--resume', String(ledger), '--rate', '1000']);
  expect(second).toMatchObject({ code: 0 });
  const seen = await takeIds(here.url, workQueue());
  expect(new Set(seen)).toEqual(new Set(ids));
  expect(await newest()).toMatchObject({ state: 'ended', chosen: 100, done: 100 });
});

it('keeps its ledger in a file where there is no database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'warren-ledger-'));
  const inFile = { WARREN_DATA_DIR: folder };
  await bury('a-1', 'a-2');
  const stop = new AbortController();
  stop.abort();
  const first = await command(['replay', job.type, '--json'], stop.signal, inFile);
  const { ledger } = JSON.parse(first.stdout) as { ledger: string };
  expect(await readdir(join(folder, 'ledger'))).toEqual([`${ledger}.ndjson`]);
  const again = ['replay', '--resume', ledger];
  expect(await command(again, undefined, inFile)).toMatchObject({ code: 0, stderr: '' });
  expect((await takeIds(here.url, workQueue())).sort()).toEqual(['a-1', 'a-2']);
  const shown = await command(['ledger', ledger, '--json'], undefined, inFile);
  expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'ended', chosen: 2, done: 2 });
  await rm(folder, { recursive: true });
});

it.each([
  [['replay'], 'replay needs a job type'],
  [['replay', '--resume', 'nobody'], 'nobody is not in the ledger'],
  [['replay', 'mail.probe', '--header', 'tenant'], '--header'],
])('%j is refused: %s', async (args, message) => {
  const { code, stderr } = await command(args);
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
});
