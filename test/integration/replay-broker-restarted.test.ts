import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrokerSession } from '@warren/broker';
import { type PrivateNode, startPrivateNode } from '@warren/local-broker';
import { AmqpAdmin, anyJob, eventually, takeIds } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCommand } from './support/command.ts';

const job = anyJob('mail.probe');
const topology = buildTopology({ jobTypes: [job] });
const [deadQueue, workQueue] = [
  topology.names.deadQueue(job.type),
  topology.names.workQueue(job.type),
];
const START_MS = 120_000;
const COUNT = 600;
/** That a replay may have in hand. */
const WINDOW = 200;

let node: PrivateNode;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-restarted-'));
  node = await startPrivateNode();
  const session = await BrokerSession.open({ connection: { urls: [node.url] }, service: 'test' });
  await session.declare(topology);
  await session.close();
  await node.flushDeclarations();
}, START_MS);
afterAll(async () => {
  await node?.stop();
  await rm(folder, { recursive: true, force: true });
}, START_MS);

const command = (...args: string[]) =>
  runCommand(['dead', ...args], {
    env: { AMQP_URL: node.url, WARREN_DATA_DIR: folder, WARREN_HISTORY: 'false' },
    jobs: [job],
  });

async function withAdmin<T>(action: (admin: AmqpAdmin) => Promise<T>): Promise<T> {
  const admin = await AmqpAdmin.connect(node.url);
  try {
    return await action(admin);
  } finally {
    await admin.close();
  }
}

async function bury(ids: readonly string[]): Promise<void> {
  await withAdmin(async (admin) => {
    await admin.run(async (channel) => {
      for (const messageId of ids) {
        const properties = { messageId, type: job.type, persistent: true };
        channel.sendToQueue(deadQueue, Buffer.from('1'), properties);
      }
    });
    await eventually('all are dead', async () => (await admin.depth(deadQueue)) === ids.length);
  });
}

interface Report {
  readonly replayed: number;
  readonly unknown: number;
  readonly doneBefore: number;
  readonly stopped: { readonly reason: string; readonly message: string } | null;
  readonly ledger: string;
}
const reportOf = (stdout: string) => JSON.parse(stdout) as Report;

it.each(['stop', 'kill'] as const)(
  'a broker that restarts (%s) ends a replay, which says so; resumed, each is replayed and none is lost',
  {
    timeout: START_MS,
  },
  async (how) => {
    const ids = Array.from({ length: COUNT }, (_, at) => `${how}-${at}`);
    await bury(ids);
    const running = command('replay', job.type, '--rate', '100', '--json');
    await withAdmin((admin) =>
      eventually('some are replayed', async () => ((await admin.depth(workQueue)) ?? 0) >= 100),
    );
    await node.restart(how);
    const first = await running;
    expect(first.code).toBe(3);
    const begun = reportOf(first.stdout);
    expect(begun.stopped).toMatchObject({ reason: 'connection_lost' });
    expect(begun.stopped?.message).toContain('broker');
    expect(begun.replayed).toBeGreaterThan(0);
    expect(begun.replayed).toBeLessThan(COUNT);

    const second = await command('replay', '--resume', begun.ledger, '--rate', '10000', '--json');
    expect(second.stderr).toBe('');
    expect(second.code).toBe(0);
    const ended = reportOf(second.stdout);
    expect(ended).toMatchObject({ stopped: null, left: 0, missing: 0, unknown: 0 });
    const seen = await takeIds(node.url, workQueue);
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(seen.length - COUNT).toBeLessThanOrEqual(WINDOW);
    expect(await takeIds(node.url, deadQueue)).toEqual([]);
    const { stdout } = await command('ledger', begun.ledger, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ state: 'ended', chosen: COUNT, done: COUNT });
  },
);
