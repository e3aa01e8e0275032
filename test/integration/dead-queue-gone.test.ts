import { BrokerSession } from '@warren/broker';
import { exportLetters, groupLetters, inspect, replayOne } from '@warren/dead-letter';
import {
  anyJob,
  eventually,
  type Installation,
  install,
  openStoreBench,
  type StoreBench,
  sharedDatabaseUrl,
  takeIds,
} from '@warren/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('mail.probe');
const other = anyJob('mail.other');
const COUNT = 2_000;
/** What nothing here may come near to: each wait is for something that never comes. */
const HANGS_MS = 20_000;

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
let session: BrokerSession;
beforeAll(async () => {
  here = await install([job, other]);
  bench = await openStoreBench({ namespace: here.namespace });
});
afterAll(async () => {
  await bench.dispose();
  await here.dispose();
});
beforeEach(async () => {
  session = await BrokerSession.open({ connection: { urls: [here.url] }, service: 'test' });
  await session.declare(here.topology);
  const ids = Array.from({ length: COUNT }, (_, at) => `id-${at}`);
  await bury(deadQueue(), ids);
  await bury(here.topology.names.deadQueue(other.type), ['other']);
});
afterEach(async () => {
  await session.close();
  await takeIds(here.url, workQueue());
  await takeIds(here.url, here.topology.names.deadQueue(other.type));
});

const deadQueue = () => here.topology.names.deadQueue(job.type);
const workQueue = () => here.topology.names.workQueue(job.type);
const remove = () => here.admin.run((channel) => channel.deleteQueue(deadQueue()));
const missing = () => ({
  code: 'QUEUE_MISSING',
  message: expect.stringContaining(deadQueue()) as string,
});

async function bury(queue: string, ids: readonly string[]): Promise<void> {
  await here.admin.run(async (channel) => {
    for (const messageId of ids) {
      channel.sendToQueue(queue, Buffer.from('1'), { messageId, type: job.type, persistent: true });
    }
  });
  await eventually('all are dead', async () => (await here.admin.depth(queue)) === ids.length);
}

/** Whatever was done to one queue, those of the other are there, and the connection is of use. */
async function othersAreThere(): Promise<void> {
  expect(await session.depth(here.topology.names.deadQueue(other.type))).toBe(1);
}

describe('a queue of dead letters that is deleted while it is looked at', {
  timeout: HANGS_MS,
}, () => {
  it('is named by the error of a look', async () => {
    let removed: Promise<unknown> | undefined;
    const looking = session.browse(deadQueue(), {
      limit: COUNT,
      onMessage() {
        removed ??= remove();
        return true;
      },
    });
    await expect(looking).rejects.toMatchObject(missing());
    await removed;
    await othersAreThere();
  });

  it('is named where letters are counted on that do not come any more', async () => {
    let begin = () => {};
    const holder = await BrokerSession.open({
      connection: { urls: [here.url] },
      service: 'holder',
    });
    const held = new Promise<void>((resolve) => {
      const consumer = holder.consume({
        queue: deadQueue(),
        prefetch: COUNT,
        onDelivery: () => resolve(),
      });
      begin = () => consumer.start();
    });
    // One that was looked at before goes on in steps: what is in somebody else's hands meanwhile, it waits for.
    await session.browse(deadQueue(), { limit: COUNT, onMessage: () => true });
    const looking = session.browse(deadQueue(), {
      limit: 1,
      onMessage() {
        begin();
        return true;
      },
    });
    const outcome = looking.then(
      () => undefined,
      (error: unknown) => error,
    );
    await held;
    await remove();
    expect(await outcome).toMatchObject(missing());
    await holder.close();
    // RabbitMQ 4.3 ends the connection of who begins to consume just then.
    expect(await here.admin.depth(here.topology.names.deadQueue(other.type))).toBe(1);
  });

  it('is named by lists, groups and a replay of one that come after it', async () => {
    await remove();
    const queue = deadQueue();
    const known = { jobs: [job], names: here.topology.names };
    await expect(inspect({ session, queue, limit: 5 })).rejects.toMatchObject(missing());
    await expect(
      groupLetters(session, { queue, jobType: job.type }, { known }),
    ).rejects.toMatchObject(missing());
    const source = { queue, workQueue: workQueue() };
    const one = { session, topology: here.topology, source, id: 'id-1', holder: 'test' };
    await expect(replayOne(one)).rejects.toMatchObject(missing());
    await othersAreThere();
  });

  it('ends an export, which says so', async () => {
    const source = { queue: deadQueue(), workQueue: workQueue() };
    let written = 0;
    const { stopped, exported } = await exportLetters({
      session,
      topology: here.topology,
      source,
      holder: 'test',
      async write() {
        written += 1;
        if (written === 10) await remove();
      },
    });
    expect(exported).toBeLessThan(COUNT);
    expect(stopped).toMatchObject({
      reason: 'queue_missing',
      message: expect.stringContaining(deadQueue()),
    });
    await othersAreThere();
  });
});

describe('a queue of dead letters that is deleted while it is replayed', {
  timeout: HANGS_MS,
}, () => {
  const command = (...args: string[]) =>
    runCommand(['dead', ...args], {
      env: {
        AMQP_URL: here.url,
        DATABASE_URL: sharedDatabaseUrl(),
        WARREN_NAMESPACE: here.namespace,
        WARREN_HISTORY: 'false',
      },
      jobs: [job, other],
    });

  it('ends the replay, which names it; what was replayed is there, and nothing else is lost', async () => {
    const running = command('replay', job.type, '--rate', '100', '--json');
    await eventually('some are replayed', async () => {
      return ((await here.admin.depth(workQueue())) ?? 0) >= 20;
    });
    await remove();
    const { code, stdout } = await running;
    expect(code).toBe(1);
    const { replayed, unknown, stopped, ledger } = JSON.parse(stdout) as {
      replayed: number;
      unknown: number;
      stopped: unknown;
      ledger: string;
    };
    expect(stopped).toMatchObject({
      reason: 'queue_missing',
      message: expect.stringContaining(deadQueue()),
    });
    const seen = await takeIds(here.url, workQueue());
    expect(seen.length).toBeGreaterThanOrEqual(replayed);
    expect(seen.length).toBeLessThanOrEqual(replayed + unknown);
    expect(new Set(seen).size).toBe(seen.length);
    await othersAreThere();

    const again = await command('replay', '--resume', ledger);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(deadQueue()) });
    const shown = await command('ledger', ledger);
    expect(shown.stdout).toContain(deadQueue());
  });

  it('is not said to have kept anything', async () => {
    const running = command('replay', job.type, '--rate', '100');
    await eventually('some are replayed', async () => {
      return ((await here.admin.depth(workQueue())) ?? 0) >= 20;
    });
    await remove();
    const { stdout } = await running;
    expect(stdout).toContain(`Stopped early: there is no queue "${deadQueue()}"`);
    expect(stdout).not.toContain('Nothing is lost');
    expect(stdout).not.toContain('is in the queue');
  });
});
