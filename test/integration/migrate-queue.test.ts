import { BrokerSession, type MigrationStep } from '@warren/broker';
import { anyJob, eventually, type Installation, install } from '@warren/testing';
import { type QueueMigration, queueMigration } from '@warren/topology';
import type { GetMessage } from 'amqplib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run');
const WAITING = 200;

let here: Installation;
let migration: QueueMigration;
let queue: string;
beforeEach(async () => {
  here = await install([job]);
  migration = queueMigration(here.topology, job.type);
  queue = migration.queue.name;
});
afterEach(async () => {
  await here.admin.run((channel) => channel.deleteQueue(migration.holding.name));
  await here.dispose();
});

/** The work queue of a version before: another delivery limit, or a classic queue; and jobs in it. */
async function installBefore(args: Record<string, unknown>): Promise<string[]> {
  expect(await warren('apply')).toMatchObject({ code: 0, stderr: '' });
  await here.admin.run((channel) => channel.deleteQueue(queue));
  await here.admin.run((channel) => channel.assertQueue(queue, { arguments: args }));
  for (const { exchange, routingKey } of migration.bindings) {
    await here.admin.run((channel) => channel.bindQueue(queue, exchange, routingKey));
  }
  const jobs = await here.connect();
  const results = await Promise.all(
    Array.from({ length: WAITING }, (_, n) => jobs.publish(job, n)),
  );
  return results.map(({ id }) => id);
}

const OTHER_LIMIT = { 'x-queue-type': 'quorum', 'x-delivery-limit': 77 };

async function open(): Promise<BrokerSession> {
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  onTestFinished(() => session.close());
  return session;
}

async function takeAll(): Promise<GetMessage[]> {
  return here.admin.run(async (channel) => {
    const taken: GetMessage[] = [];
    for (;;) {
      const message = await channel.get(queue, { noAck: true });
      if (message === false) return taken;
      taken.push(message);
    }
  });
}

const warren = (...args: string[]) =>
  runCommand(['topology', ...args], {
    env: { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace },
    jobs: [job],
  });

describe('the migration of a queue', () => {
  it('gives a classic queue the declared arguments, while jobs come in', async () => {
    const before = await installBefore({});
    await here.admin.publish('', queue, '"no id"', { persistent: true });
    const failed = { messageId: 'failed-twice', headers: { 'x-attempt': 3 }, persistent: true };
    await here.admin.publish('', queue, '1', failed);
    const jobs = await here.connect();
    let isOver = false;
    const publishing = (async () => {
      const ids: string[] = [];
      while (!isOver) ids.push((await jobs.publish(job, 0)).id);
      return ids;
    })();

    const migrated = await warren('migrate', job.type).finally(() => {
      isOver = true;
    });
    const meanwhile = await publishing;
    expect(migrated).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${queue} is migrated: `),
    });

    const session = await open();
    expect(await session.migrationState(migration)).toBe('current');
    const messages = await takeAll();
    const ids = new Set(messages.map(({ properties }) => String(properties.messageId)));
    expect([...before, ...meanwhile].filter((id) => !ids.has(id))).toEqual([]);
    expect(messages.filter(({ content }) => content.toString() === '"no id"')).toHaveLength(1);
    const twice = messages.find(({ properties }) => properties.messageId === 'failed-twice');
    expect(twice?.properties.headers?.['x-attempt']).toBe(3);
    await jobs.publish(job, 'after');
    expect(await here.admin.depth(queue)).toBe(1);
  });

  it.each<MigrationStep>(['empty', 'fill'])(
    'goes on where it died: before it would %s, and with messages on the way',
    async (step) => {
      const before = await installBefore(OTHER_LIMIT);
      for (const dies of [
        { onStep: (at: MigrationStep) => void (at === step && fail()) },
        {
          onMoved: (at: MigrationStep, count: number) => void (at === step && count > 50 && fail()),
        },
      ]) {
        const session = await open();
        await session.migrate(migration, 'test', dies).catch((error: unknown) => {
          expect(error).toMatchObject({ message: 'killed' });
        });
        await session.close();
      }
      const jobs = await here.connect();
      const { id } = await jobs.publish(job, 'meanwhile');
      const session = await open();
      await session.migrate(migration, 'test');
      const ids = new Set((await takeAll()).map(({ properties }) => String(properties.messageId)));
      expect([...before, id].filter((one) => !ids.has(one))).toEqual([]);
    },
  );

  it('changes nothing while workers consume the queue, of a queue that is as declared, or in a dry run', async () => {
    await warren('apply');
    expect(await warren('migrate', job.type)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('as declared'),
    });
    await here.admin.run((channel) => channel.deleteQueue(queue));
    await here.admin.run((channel) => channel.assertQueue(queue, { arguments: OTHER_LIMIT }));
    const dry = await warren('migrate', job.type, '--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`1. new messages for ${queue}`),
    });
    const worker = await open();
    worker.consume({ queue, prefetch: 1, onDelivery: (one) => one.leave() }).start();
    await eventually('a consumer', async () => {
      return ((await worker.figures([queue])).get(queue)?.consumers ?? 0) > 0;
    });
    const refused = await warren('migrate', job.type);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${queue} has `) });
    const session = await open();
    expect(await session.migrationState(migration)).toBe('differs');
  });

  it('refuses a queue that it does not know, or that holds no jobs to run, and says what to do', async () => {
    expect(await warren('migrate', 'nobody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"nobody" is not a queue here'),
    });
    const tier = await warren('migrate', 'retry.1h');
    expect(tier).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('wait until `rabbitmqctl list_queues name messages` says 0'),
    });
  });
});

function fail(): never {
  throw new Error('killed');
}
