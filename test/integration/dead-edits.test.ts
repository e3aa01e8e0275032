import { BrokerSession } from '@warren/broker';
import { defineJob } from '@warren/contracts';
import {
  collect,
  eventually,
  type Installation,
  install,
  openStoreBench,
  type StoreBench,
  sharedDatabaseUrl,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from './support/command.ts';

const schema = z.strictObject({ n: z.number(), text: z.string() });
const job = defineJob({ type: 'mail.probe', schema, retry: { maxAttempts: 1 } });

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
beforeAll(async () => {
  here = await install([job], { history: true });
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
  await session.close();
  bench = await openStoreBench({ namespace: here.namespace });
});
afterEach(async () => {
  for (const queue of [deadQueue(), workQueue()]) await here.admin.take(queue);
});
afterAll(async () => {
  await bench.dispose();
  await here.dispose();
});

const deadQueue = () => here.topology.names.deadQueue(job.type);
const workQueue = () => here.topology.names.workQueue(job.type);

/** `j-1`, …: each lacks its text, which is called body; what is no number will not do either. */
async function bury(...numbers: readonly unknown[]): Promise<void> {
  await here.admin.run(async (channel) => {
    for (const [at, n] of numbers.entries()) {
      channel.sendToQueue(deadQueue(), Buffer.from(JSON.stringify({ n, body: 'Hi' })), {
        messageId: `j-${at + 1}`,
        type: job.type,
        persistent: true,
        headers: { 'x-dead-reason': 'schema' },
      });
    }
  });
  await eventually('all are dead', async () => {
    return (await here.admin.depth(deadQueue())) === numbers.length;
  });
}

const PATCH = '{"body":null,"text":"Hi"}';
const command = (...args: readonly string[]) =>
  runCommand(['dead', 'replay', ...args], {
    env: {
      AMQP_URL: here.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: here.namespace,
    },
    jobs: [job],
  });
const left = async () =>
  (await here.admin.take(deadQueue())).map(({ properties }) => properties.messageId);
const newest = async () => (await bench.store.letterRuns.list({ limit: 1 })).items[0];
const edits = async () =>
  (await bench.store.audit.list({ limit: 100 })).items.filter((one) => one.action === 'dead.edit');

it('corrects all that are chosen; what does not fit afterwards stays, with what is wrong', async () => {
  await bury(1, 'two', 3, 4);
  const args = [job.type, '--edit', PATCH, '--limit', '3', '--json'];
  const outcome = {
    selected: 3,
    replayed: 2,
    left: 1,
    leftExamples: [{ id: 'j-2', problem: expect.stringContaining('n: ') }],
  };
  const dry = await command(...args, '--dry-run');
  expect(JSON.parse(dry.stdout)).toMatchObject({ ...outcome, dryRun: true });
  expect(await here.admin.depth(workQueue())).toBe(0);
  expect(await edits()).toEqual([]);
  const done = await command(...args, '--reason', 'body is called text');
  expect(done.code).toBe(1);
  expect(JSON.parse(done.stdout)).toMatchObject({ ...outcome, dryRun: false, stopped: null });
  const sent = await collect(here.admin, workQueue(), 2);
  expect(sent.map(({ content }) => JSON.parse(String(content)))).toEqual([
    { n: 1, text: 'Hi' },
    { n: 3, text: 'Hi' },
  ]);
  expect(await left()).toEqual(['j-2', 'j-4']);
  const run = await newest();
  expect(run).toMatchObject({ settings: { isEdited: true, limit: 3 } });
  expect(JSON.stringify(run)).not.toContain('Hi');
  expect(await edits()).toMatchObject([
    { details: { id: 'j-3', run: run?.id, reason: 'body is called text' } },
    { details: { id: 'j-1', before: { n: 1, body: 'Hi' }, after: { n: 1, text: 'Hi' } } },
  ]);
});

it('sends nothing for a patch that is no JSON', async () => {
  await bury(1);
  expect(await command(job.type, '--edit', '{"n":')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--edit is not JSON'),
  });
  expect(await left()).toEqual(['j-1']);
});

it('is tried on a few first, and is said again by whoever resumes it', async () => {
  await bury(1, 2, 3);
  let isMended = false;
  const worker = await here.work([
    handle(job, () => {
      if (!isMended) throw new Error('still broken');
    }),
  ]);
  const first = await command(job.type, '--edit', PATCH, '--canary', '1', '--json');
  expect(JSON.parse(first.stdout)).toMatchObject({ stopped: { reason: 'canary_failed' } });
  isMended = true;
  const id = (await newest())?.id ?? '';
  const without = await command('--resume', id);
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('--edit') });
  const resumed = await command('--resume', id, '--edit', PATCH, '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({ replayed: 2, stopped: null });
  await eventually('both are done', async () => (await here.admin.depth(workQueue())) === 0);
  await worker.stop();
  expect(await here.admin.depth(deadQueue())).toBe(1);
});
