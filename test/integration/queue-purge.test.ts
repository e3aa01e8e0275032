import { BrokerSession } from '@warren/broker';
import {
  anyJob,
  eventually,
  type Installation,
  install,
  openStoreBench,
  type SeenHistory,
  type StoreBench,
  seeHistory,
  sharedDatabaseUrl,
  takeIds,
} from '@warren/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run', { lanes: true });

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
let history: SeenHistory;
let session: BrokerSession;
beforeAll(async () => {
  here = await install([job], { history: true });
  session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
  bench = await openStoreBench({ namespace: here.namespace });
  history = seeHistory(here);
});
afterEach(async () => void (await here.admin.take(workQueue())));
afterAll(async () => {
  await session.close();
  await history.close();
  await bench.dispose();
  await here.dispose();
});

const workQueue = () => here.topology.names.workQueue(job.type);

async function fill(...ids: readonly string[]): Promise<void> {
  for (const messageId of ids) {
    const properties = { messageId, type: job.type, persistent: true };
    await here.admin.publish('', workQueue(), '{}', { ...properties, headers: { 'x-attempt': 2 } });
  }
  await eventually('all wait', async () => (await here.admin.depth(workQueue())) === ids.length);
}

const purge = (args: readonly string[], confirm?: () => Promise<boolean>) =>
  runCommand(['queue', 'purge', ...args], {
    env: {
      AMQP_URL: here.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: here.namespace,
    },
    jobs: [job],
    confirm,
  });
const audited = async (action: string) =>
  (await bench.store.audit.list({ limit: 100 })).items.find((one) => one.action === action);
const why = ['--reason', 'a mistake'];

it('asks, says why, and drops nothing otherwise', async () => {
  await fill('a', 'b');
  expect(await purge([job.type, '--yes'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--reason'),
  });
  expect(await purge([job.type, ...why])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  expect(await purge([job.type, ...why], async () => false)).toMatchObject({ code: 1, stdout: '' });
  const dead = await purge([`${job.type}.dead`, ...why, '--yes']);
  expect(dead).toMatchObject({ code: 2, stderr: expect.stringContaining('warren dead discard') });
  expect(await takeIds(here.url, workQueue())).toEqual(['a', 'b']);
  expect(await audited('queue.purge')).toBeUndefined();
});

it('drops the jobs that wait, of one lane, and tells the history of each', async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `j-${at}`);
  await fill(...ids);
  const high = here.topology.names.laneQueue(job.type, 'high');
  await here.admin.publish('', high, '{}', { messageId: 'high', persistent: true });
  const asked: string[] = [];
  const confirm = async (question = '') => asked.push(question) > 0;
  const done = await purge([job.type, ...why], confirm);
  expect(done).toMatchObject({ code: 0, stdout: `Discarded 300 of 300 jobs in ${workQueue()}\n` });
  expect(asked).toEqual([`Discard 300 jobs that wait in ${workQueue()} for good?`]);
  expect(await here.admin.depth(workQueue())).toBe(0);
  expect(await takeIds(here.url, high)).toEqual(['high']);
  for (const id of ['j-0', 'j-299']) {
    expect((await history.until(id, 'discarded')).at(-1)).toMatchObject({
      queue: job.type,
      type: job.type,
      generation: 0,
      attempt: 2,
      by: expect.stringContaining('@'),
    });
  }
  expect(await audited('queue.purge')).toMatchObject({
    details: { queue: workQueue(), depth: 300, reason: 'a mistake' },
  });
  expect(await audited('queue.purge.ended')).toMatchObject({
    details: { report: { discarded: 300 } },
  });
});

it('does not while somebody migrates the queue', async () => {
  await fill('a');
  await session.lock(here.topology.names.migrationLock(workQueue()), 'the migration');
  expect(await purge([job.type, ...why, '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the migration'),
  });
  expect(await takeIds(here.url, workQueue())).toEqual(['a']);
});
