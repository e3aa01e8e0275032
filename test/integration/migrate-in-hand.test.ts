import { BrokerSession } from '@warren/broker';
import {
  anyJob,
  consumeQueue,
  eventually,
  type Installation,
  install,
  type QueueClient,
  quietTelemetry,
  Runs,
  startProxy,
} from '@warren/testing';
import { type QueueMigration, queueMigration } from '@warren/topology';
import { createWorker, handle, type Worker } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run', { cancelGrace: '300ms' });
const OTHER_LIMIT = { 'x-queue-type': 'quorum', 'x-delivery-limit': 77 };

let here: Installation;
let migration: QueueMigration;
let queue: string;
beforeEach(async () => {
  here = await install([job]);
  migration = queueMigration(here.topology, job.type);
  queue = migration.queue.name;
  expect(await warren('apply')).toMatchObject({ code: 0, stderr: '' });
  await here.admin.run((channel) => channel.deleteQueue(queue));
  await here.admin.run((channel) => channel.assertQueue(queue, { arguments: OTHER_LIMIT }));
  for (const { exchange, routingKey } of migration.bindings) {
    await here.admin.run((channel) => channel.bindQueue(queue, exchange, routingKey));
  }
});
afterEach(async () => {
  await here.admin.run((channel) => channel.deleteQueue(migration.holding.name));
  await here.dispose();
});

const warren = (...args: string[]) =>
  runCommand(['topology', ...args], {
    env: { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace },
    jobs: [job],
  });
const migrate = (...args: string[]) => warren('migrate', job.type, ...args);
const migrated = { code: 0, stdout: expect.stringContaining(`is migrated: `) };

/** Takes one job, and consumes no more. */
async function pausedWith(body: string, url = here.url): Promise<QueueClient> {
  const { topology } = here;
  const taken = await consumeQueue({ url, topology, type: job.type }, { prefetch: 1 });
  onTestFinished(() => taken.close());
  await taken.send(body);
  await eventually('it is in hand', () => taken.deliveries.length === 1);
  await taken.consumer.pause();
  return taken;
}

/** Its queue is not as declared: it works all the same, and is not ready. */
async function workerThatRuns(run: Parameters<typeof handle>[1]): Promise<Worker> {
  const runs = new Runs();
  const worker = createWorker({
    connection: { urls: [here.url] },
    namespace: here.namespace,
    service: 'test',
    ...quietTelemetry(),
    handlers: [
      handle(job, (one, context) => {
        runs.add(one);
        return run(one, context);
      }),
    ],
    shutdownGraceMs: 3_000,
  });
  onTestFinished(() => worker.stop());
  await worker.start();
  const jobs = await here.connect();
  await jobs.publish(job, 1);
  await runs.reach(1);
  return worker;
}

describe('the migration of a queue of which somebody has jobs in hand, and consumes no more', () => {
  it('is refused while that one is paused, and passes when it has ended', async () => {
    const paused = await pausedWith('"in hand"');
    expect(await migrate('--dry-run')).toMatchObject({ code: 1 });
    expect(await migrate()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${queue} has 1 consumer;`),
    });
    await paused.close();
    expect(await migrate()).toMatchObject(migrated);
    expect(await here.admin.depth(queue)).toBe(1);
  });

  it('is refused while a worker is in its grace time, and loses nothing that one gives back', async () => {
    const worker = await workerThatRuns((_, { signal }) => {
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    const stopping = worker.stop();
    expect(await migrate('--wait', '60')).toMatchObject({
      ...migrated,
      stderr: expect.stringContaining(`waiting for the end of who consumes ${queue}: 1`),
    });
    await stopping;
    expect(await here.admin.depth(queue)).toBe(1);
  });

  it('finds what one had in hand that is killed while it is waited for', async () => {
    const proxy = await startProxy(here.url);
    onTestFinished(() => proxy.stop());
    await pausedWith('"in hand"', proxy.url);
    const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
    onTestFinished(() => session.close());
    const waited: number[] = [];
    const onConsumers = (consumers: number) => {
      waited.push(consumers);
      proxy.setOpen(false);
    };
    const report = await session.migrate(migration, 'test', { waitMs: 60_000, onConsumers });
    expect(report).toMatchObject({ found: 'differs', held: 1, returned: 1, deleted: 0 });
    expect(waited).toEqual([1]);
    expect(await here.admin.depth(queue)).toBe(1);
  });

  it('is ended like any other while it waits, and has changed nothing', async () => {
    await pausedWith('"in hand"');
    const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
    onTestFinished(() => session.close());
    const { signal, abort } = abortable();
    const options = { waitMs: 60_000, signal, onConsumers: abort };
    const report = await session.migrate(migration, 'test', options);
    expect(report).toMatchObject({ found: 'differs', isInterrupted: true, held: 0, deleted: 0 });
    expect(await here.admin.depth(migration.holding.name)).toBeUndefined();
  });
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
