import { BrokerSession } from '@warren/broker';
import { defineJob } from '@warren/contracts';
import {
  collect,
  eventually,
  type Installation,
  install,
  openStoreBench,
  type SeenHistory,
  type StoreBench,
  seeHistory,
  sharedDatabaseUrl,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from './support/command.ts';

const schema = z.object({ n: z.number() });
const renamed = defineJob({ type: 'mail.renamed', schema, retry: { maxAttempts: 1 } });
/** Its dead letters are still there; the installation knows it no more. */
const OLD = 'mail.old';

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
let history: SeenHistory;
beforeAll(async () => {
  here = await install([renamed], { history: true });
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
  await session.close();
  await here.admin.run(async (channel) => {
    const quorum = { 'x-queue-type': 'quorum', 'x-delivery-limit': 1_000_000 };
    await channel.assertQueue(deadQueue(), { durable: true, arguments: quorum });
  });
  bench = await openStoreBench({ namespace: here.namespace });
  history = seeHistory(here);
});
afterEach(async () => {
  for (const queue of [deadQueue(), workQueue()]) await here.admin.take(queue);
});
afterAll(async () => {
  await here.admin.run(async (channel) => void (await channel.deleteQueue(deadQueue())));
  await history.close();
  await bench.dispose();
  await here.dispose();
});

const deadQueue = () => here.topology.names.deadQueue(OLD);
const workQueue = () => here.topology.names.workQueue(renamed.type);

async function bury(...payloads: readonly unknown[]): Promise<void> {
  await here.admin.run(async (channel) => {
    for (const [at, payload] of payloads.entries()) {
      channel.sendToQueue(deadQueue(), Buffer.from(JSON.stringify(payload)), {
        messageId: `j-${at + 1}`,
        type: OLD,
        persistent: true,
        headers: { 'x-dead-reason': 'attempts_exhausted', 'x-generation': 1 },
      });
    }
  });
  await eventually('all are dead', async () => {
    return (await here.admin.depth(deadQueue())) === payloads.length;
  });
}

const command = (...args: readonly string[]) =>
  runCommand(['dead', 'replay', ...args], {
    env: {
      AMQP_URL: here.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: here.namespace,
    },
    jobs: [renamed],
  });
const left = async () =>
  (await here.admin.take(deadQueue())).map(({ properties }) => properties.messageId);
const newest = async () => (await bench.store.letterRuns.list({ limit: 1 })).items[0];
const audited = async (action: string) =>
  (await bench.store.audit.list({ limit: 100 })).items.find((one) => one.action === action);

it('sends dead letters of a job type that was renamed to the new one; what does not fit stays', async () => {
  await bury({ n: 1 }, { n: 'two' }, { n: 3 });
  const args = [`${OLD}.dead`, '--to', renamed.type, '--json', '--reason', 'it was renamed'];
  const dry = await command(...args, '--dry-run');
  const outcome = {
    selected: 3,
    replayed: 2,
    left: 1,
    targets: { [workQueue()]: 2 },
    leftExamples: [{ id: 'j-2', problem: expect.stringContaining('n: ') }],
  };
  expect(dry.code).toBe(1);
  expect(JSON.parse(dry.stdout)).toMatchObject({ ...outcome, dryRun: true });
  expect(await here.admin.depth(workQueue())).toBe(0);
  const done = await command(...args);
  expect(JSON.parse(done.stdout)).toMatchObject({ ...outcome, dryRun: false, stopped: null });
  const sent = await collect(here.admin, workQueue(), 2);
  expect(sent.map(({ properties }) => properties)).toMatchObject([
    { messageId: 'j-1', type: renamed.type, headers: { 'x-generation': 2 } },
    { messageId: 'j-3', type: renamed.type },
  ]);
  expect(await left()).toEqual(['j-2']);
  expect(await newest()).toMatchObject({ settings: { to: workQueue() }, done: 2 });
  expect(await audited('dead.replay')).toMatchObject({
    details: { to: workQueue(), reason: 'it was renamed' },
  });
  const told = await history.until('j-3', 'replayed');
  expect(told).toMatchObject([
    { kind: 'discarded', queue: OLD, generation: 1 },
    { kind: 'replayed', queue: renamed.type, type: renamed.type, generation: 2 },
  ]);
});

it('resumes to where it was to go, with a canary that looks there', async () => {
  await bury({ n: 1 }, { n: 2 }, { n: 3 });
  let isMended = false;
  const worker = await here.work([
    handle(renamed, () => {
      if (!isMended) throw new Error('still broken');
    }),
  ]);
  const failed = await command(`${OLD}.dead`, '--to', renamed.type, '--canary', '1', '--json');
  expect(JSON.parse(failed.stdout)).toMatchObject({
    replayed: 1,
    stopped: { reason: 'canary_failed' },
  });
  isMended = true;
  const id = (await newest())?.id ?? '';
  expect(await command('--resume', id, '--to', renamed.type)).toMatchObject({ code: 2 });
  const resumed = await command('--resume', id, '--json');
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    replayed: 2,
    stopped: null,
    targets: { [workQueue()]: 2 },
  });
  await history.until('j-3', 'succeeded');
  await worker.stop();
  await here.admin.take(here.topology.names.deadQueue(renamed.type));
});

it.each([
  ['mail.renamed.dead', 2, 'did you mean mail.renamed?'],
  ['no.such', 1, 'no.such'],
])('touches nothing where it is to go to %s', async (to, code, problem) => {
  await bury({ n: 1 });
  const refused = await command(`${OLD}.dead`, '--to', to);
  expect(refused).toMatchObject({ code, stderr: expect.stringContaining(problem) });
  expect(await left()).toEqual(['j-1']);
});
