import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { BrokerSession } from '@warren/broker';
import { refuseWhileMigrated } from '@warren/dead-letter';
import { anyJob, eventually, type Installation, install } from '@warren/testing';
import { type QueueMigration, queueMigration } from '@warren/topology';
import type { GetMessage, Options } from 'amqplib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('probe.run');
const OTHER_LIMIT = { 'x-queue-type': 'quorum', 'x-delivery-limit': 77 };
const UNREADABLE = Buffer.from([0xff, 0x00, 0xfe, 0x7b]);

let here: Installation;
beforeEach(async () => {
  here = await install([job]);
});
afterEach(async () => {
  for (const name of ['probe.run.dead', 'jobs.unroutable']) {
    const { holding } = queueMigration(here.topology, name);
    await here.admin.run((channel) => channel.deleteQueue(holding.name));
    await here.admin.run((channel) => channel.deleteExchange(holding.name));
  }
  await here.dispose();
});

const warren = (...args: string[]) =>
  runCommand(args, {
    env: { AMQP_URL: here.url, WARREN_NAMESPACE: here.namespace },
    jobs: [job],
  });

async function open(): Promise<BrokerSession> {
  const session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  onTestFinished(() => session.close());
  return session;
}

/** A queue as a version before had it: another delivery limit, or a classic queue. */
async function installBefore(name: string, args: object = OTHER_LIMIT): Promise<QueueMigration> {
  expect(await warren('topology', 'apply')).toMatchObject({ code: 0, stderr: '' });
  const migration = queueMigration(here.topology, name);
  const queue = migration.queue.name;
  await here.admin.run((channel) => channel.deleteQueue(queue));
  await here.admin.run((channel) => channel.assertQueue(queue, { arguments: args }));
  for (const { exchange, routingKey } of migration.bindings) {
    if (exchange === migration.through?.name) continue;
    await here.admin.run((channel) => channel.bindQueue(queue, exchange, routingKey));
  }
  return migration;
}

/** As the kit does: to the exchange of dead letters, by the name of the work queue. */
function bury(body: Buffer | string, options: Options.Publish = {}): Promise<void> {
  const { names } = here.topology;
  return here.admin.publish(names.dead, names.workQueue(job.type), body, {
    persistent: true,
    mandatory: true,
    ...options,
  });
}

async function buryMany(ids: readonly string[]): Promise<void> {
  const { names } = here.topology;
  await here.admin.run(async (channel) => {
    for (const messageId of ids) {
      const body = Buffer.from(JSON.stringify(messageId));
      channel.publish(names.dead, names.workQueue(job.type), body, { messageId, persistent: true });
    }
  });
  await eventually('all are dead', async () => {
    return (await here.admin.depth(names.deadQueue(job.type))) === ids.length;
  });
}

/** `CC` of the odd one has put a copy into the work queue: it is no concern here. */
async function buryManyBehind(there: number, count: number): Promise<void> {
  const { names } = here.topology;
  await here.admin.take(names.workQueue(job.type));
  const queue = names.deadQueue(job.type);
  await here.admin.run(async (channel) => {
    for (let n = 0; n < count; n += 1) {
      const options = { messageId: `n-${n}`, persistent: true };
      channel.publish(names.dead, names.workQueue(job.type), Buffer.from(`${n}`), options);
    }
  });
  await eventually('all are dead', async () => {
    return (await here.admin.depth(queue)) === there + count;
  });
}

/** One that the broker dead-letters by itself, at least once. */
async function rejectOne(messageId: string): Promise<void> {
  const { names } = here.topology;
  const queue = names.workQueue(job.type);
  await here.admin.publish(names.jobs, job.type, '1', { messageId, persistent: true });
  await here.admin.run(async (channel) => {
    const message = await channel.get(queue);
    if (message) channel.nack(message, false, false);
  });
}

/** What a message is made of, but for the user, and what the broker counts. */
function facts({ content, fields: { routingKey }, properties }: GetMessage) {
  const { userId: _, headers, ...others } = properties;
  const counts = ['x-delivery-count', 'x-acquired-count'];
  const kept = Object.entries(headers ?? {}).filter(([name]) => !counts.includes(name));
  return {
    content: content.toString('hex'),
    routingKey,
    others,
    headers: Object.fromEntries(kept),
  };
}

/** All that is in a queue, and stays there. */
async function lookAt(queue: string) {
  const depth = (await here.admin.depth(queue)) ?? 0;
  const session = await open();
  const seen: ReturnType<typeof facts>[] = [];
  await session.browse(queue, {
    limit: Number.MAX_SAFE_INTEGER,
    onMessage(message) {
      seen.push(facts(message as unknown as GetMessage));
      return true;
    },
  });
  expect(seen).toHaveLength(depth);
  return seen;
}

const idsOf = (messages: readonly ReturnType<typeof facts>[]) =>
  messages.map(({ others }) => String(others.messageId));

async function dieAt(moment: string, queue: string): Promise<void> {
  const program = fileURLToPath(new URL('./fixtures/migrate-process.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      AMQP_URL: here.url,
      WARREN_NAMESPACE: here.namespace,
      JOB_TYPE: job.type,
      QUEUE: queue,
      DIE_AT: moment,
    },
  });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += String(chunk);
  });
  const [, signal] = (await once(child, 'close')) as [number | null, string | null];
  expect({ moment, signal, log }).toEqual({ moment, signal: 'SIGKILL', log: '' });
}

describe('the migration of a queue of dead letters', () => {
  it('keeps bytes, properties, headers of everybody and order, while others die', async () => {
    const { queue, holding } = await installBefore('probe.run.dead');
    const { names } = here.topology;
    await rejectOne('by-the-broker');
    await eventually('one is dead', async () => (await here.admin.depth(queue.name)) === 1);
    await bury(UNREADABLE, {
      messageId: 'odd',
      userId: 'guest',
      contentType: 'application/x-odd',
      contentEncoding: 'x-odd',
      correlationId: 'c',
      replyTo: 'nobody',
      expiration: '3600000',
      timestamp: 1_700_000_000,
      type: 'probe.run',
      appId: 'a',
      CC: [names.workQueue(job.type)],
      headers: {
        'x-dead-reason': 'schema',
        'x-error': 'attempt 1: Error: no',
        'x-warren-other': 1,
        nested: { list: [1, 'two', { three: true }], nothing: null },
        raw: UNREADABLE,
        at: { '!': 'timestamp', value: 1_700_000_000 },
        large: 'x'.repeat(60_000),
      },
    });
    await here.admin.publish('', queue.name, 'no properties at all');
    await buryManyBehind(3, 300);
    const before = await lookAt(queue.name);
    expect(before).toHaveLength(303);
    expect(before[0]?.headers['x-death']).toMatchObject([{ reason: 'rejected' }]);
    let isOver = false;
    const dying = (async () => {
      const ids: string[] = [];
      while (!isOver) {
        const messageId = `meanwhile-${ids.length}`;
        ids.push(messageId);
        if (ids.length % 10 === 0) await rejectOne(messageId);
        else await bury('1', { messageId });
      }
      return ids;
    })();

    const migrated = await warren('topology', 'migrate', 'probe.run.dead').finally(() => {
      isOver = true;
    });
    const meanwhile = await dying;
    expect(migrated).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${queue.name} is migrated: `),
    });
    const session = await open();
    expect(await session.migrationState(queueMigration(here.topology, queue.name))).toBe('current');
    expect(await here.admin.depth(holding.name)).toBeUndefined();
    await eventually('the broker has brought its own', async () => {
      const ids = new Set(idsOf(await lookAt(queue.name)));
      return meanwhile.every((id) => ids.has(id));
    });
    const after = await lookAt(queue.name);
    const old = after.filter(({ others }) => !String(others.messageId).startsWith('meanwhile'));
    expect(old).toEqual(before);
    const rejected = after.find(({ others }) => others.messageId === 'meanwhile-9');
    expect(rejected?.headers['x-death']).toMatchObject([{ reason: 'rejected', count: 1 }]);
    // Led astray for a moment, some would be among the unroutable; by CC, in the work queue.
    expect(await here.admin.depth(names.unroutable)).toBe(0);
    await eventually('none is run again', async () => {
      return (await here.admin.depth(names.workQueue(job.type))) === 0;
    });
    await bury('2', { messageId: 'after' });
    expect(idsOf(await lookAt(queue.name)).at(-1)).toBe('after');
    await expect(
      here.admin.run((channel) => channel.checkExchange(holding.name)),
    ).rejects.toMatchObject({ code: 404 });
  });

  it('loses none, killed with SIGKILL at each step and on the way', async () => {
    const { queue } = await installBefore('probe.run.dead');
    const { names } = here.topology;
    const ids = Array.from({ length: 300 }, (_, n) => `n-${n}`);
    await buryMany(ids);
    const more: string[] = [];
    for (const moment of [
      'step redirect',
      'step empty',
      'after unbindQueue',
      'moved empty 50',
      'step replace',
      'after deleteQueue',
      'step fill',
      'moved fill 50',
      'step clear',
      'after deleteExchange',
    ]) {
      await dieAt(moment, queue.name);
      const messageId = `after ${moment}`;
      await bury('1', { messageId });
      await rejectOne(`rejected ${messageId}`);
      more.push(messageId, `rejected ${messageId}`);
    }
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({ code: 0 });
    await eventually('all are there', async () => {
      const seen = new Set(idsOf(await lookAt(queue.name)));
      return [...ids, ...more].every((id) => seen.has(id));
    });
    // Each kill may repeat what was published and not acknowledged.
    expect(await here.admin.depth(queue.name)).toBeLessThanOrEqual(320 + 3 * 200);
    expect(await here.admin.depth(names.unroutable)).toBe(0);
    const session = await open();
    expect(await session.migrationState(queueMigration(here.topology, queue.name))).toBe('current');
  }, 240_000);

  it('takes the unroutable with the name of the queue that each was meant for', async () => {
    const { queue } = await installBefore('jobs.unroutable', {});
    const { names } = here.topology;
    const lost = `${here.namespace}.probe.lost`;
    await here.admin.publish(names.due, lost, '1', { messageId: 'lost' });
    await here.admin.publish(names.dead, lost, '2', { messageId: 'dead and lost' });
    const before = await lookAt(queue.name);
    expect(before.map(({ routingKey }) => routingKey)).toEqual([lost, lost]);
    expect(await warren('topology', 'migrate', 'jobs.unroutable')).toMatchObject({ code: 0 });
    expect(await lookAt(queue.name)).toEqual(before);
    await here.admin.publish(names.due, lost, '3', { messageId: 'lost too' });
    expect(await here.admin.depth(queue.name)).toBe(3);
  });

  it('says which cannot be copied, keeps those, and goes on once they are dealt with', async () => {
    const { queue } = await installBefore('probe.run.dead');
    const headers = JSON.parse('{"__proto__":{"a":1}}') as Record<string, unknown>;
    await bury('1', { messageId: 'first' });
    await bury('2', { messageId: 'odd', headers });
    await bury('3', { messageId: 'last' });
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `1 message of ${queue.name} cannot be copied and stay in it, such as odd (header "headers"`,
      ),
    });
    expect(idsOf(await lookAt(queue.name))).toEqual(['odd']);
    const discarded = await warren(
      ...['dead', 'discard', job.type, '--id', 'odd', '--yes', '--reason', 'odd'],
    );
    expect(discarded).toMatchObject({ code: 0 });
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({ code: 0 });
    expect(idsOf(await lookAt(queue.name))).toEqual(['first', 'last']);
  });

  it('goes on after it was asked to end', async () => {
    const migration = await installBefore('probe.run.dead');
    const ids = Array.from({ length: 300 }, (_, n) => `n-${n}`);
    await buryMany(ids);
    for (const at of ['empty', 'fill']) {
      const session = await open();
      const stop = new AbortController();
      const report = await session.migrate(migration, 'test', {
        signal: stop.signal,
        onMoved: (step) => {
          if (step === at) stop.abort();
        },
      });
      expect(report.isInterrupted).toBe(true);
      await session.close();
    }
    expect(await warren('topology', 'migrate', migration.queue.name)).toMatchObject({ code: 0 });
    const seen = idsOf(await lookAt(migration.queue.name));
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });
});

describe('who takes or looks at dead letters, and who migrates their queue', () => {
  it('exclude each other, and are told who it is', async () => {
    const { queue, locks } = await installBefore('probe.run.dead');
    await bury('1', { messageId: 'one' });
    const migrating = await open();
    for (const lock of locks) await migrating.lock(lock, 'somebody, who migrates it');
    for (const command of [
      ['dead', 'list', job.type],
      ['dead', 'groups', job.type],
      ['dead', 'show', job.type, 'one'],
      ['dead', 'replay', job.type, '--dry-run'],
      ['dead', 'replay', job.type],
      ['dead', 'discard', job.type, '--all', '--yes', '--reason', 'test'],
      ['dead', 'export', job.type],
      ['topology', 'migrate', queue.name],
    ]) {
      expect(await warren(...command)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is held by somebody, who migrates it'),
      });
    }
    const looking = await open();
    await expect(
      refuseWhileMigrated(looking, here.topology.names, queue.name),
    ).rejects.toMatchObject({ code: 'LOCK_HELD' });
    await migrating.close();
    await eventually('the locks are free', () =>
      refuseWhileMigrated(looking, here.topology.names, queue.name).then(
        () => true,
        () => false,
      ),
    );

    const replaying = await open();
    await replaying.lock(here.topology.names.replayLock(queue.name), 'a replay');
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is held by a replay'),
    });
    await replaying.close();

    const consumer = looking.consume({
      queue: queue.name,
      prefetch: 10,
      onDelivery: (delivery) => delivery.leave(),
    });
    consumer.start();
    await eventually('it is in hand', async () => (await here.admin.depth(queue.name)) === 0);
    expect(await warren('topology', 'migrate', queue.name, '--dry-run')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Wait until nobody looks at it'),
    });
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${queue.name} has 1 consumer`),
    });
    await looking.giveBack(consumer);
    expect(await warren('topology', 'migrate', queue.name)).toMatchObject({ code: 0 });
    expect(idsOf(await lookAt(queue.name))).toEqual(['one']);
  });

  it('waits for what somebody has in hand, who came after the start', async () => {
    const migration = await installBefore('probe.run.dead');
    const ids = Array.from({ length: 300 }, (_, n) => `n-${n}`);
    await buryMany(ids);
    const looking = await open();
    let given: Promise<void> | undefined;
    const consumer = looking.consume({
      queue: migration.queue.name,
      prefetch: 50,
      onDelivery(delivery) {
        delivery.leave();
        given ??= new Promise((wake) => setTimeout(wake, 3_000)).then(() =>
          looking.giveBack(consumer),
        );
      },
    });
    const session = await open();
    await session.migrate(migration, 'test', {
      onStep(step) {
        if (step === 'empty') consumer.start();
      },
    });
    await given;
    const seen = new Set(idsOf(await lookAt(migration.queue.name)));
    expect(given).toBeDefined();
    expect(ids.filter((id) => !seen.has(id))).toEqual([]);
  });
});
