import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  greetBroker,
  installedServer,
  isRabbitListening,
  type PrivateNode,
  startPrivateNode,
} from '@warren/local-broker';
import { type ChannelModel, connect } from 'amqplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Several nodes are started one after the other, maybe beside other tests. */
const START_MS = 120_000;
const otherRoot = process.env['WARREN_RABBITMQ_ROOT'];
const roots = otherRoot ? [otherRoot] : installedServer() ? ['/'] : [];

/** Ids of the processes in whose environment the text stands. */
function processesNaming(text: string): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => {
    try {
      return readFileSync(`/proc/${id}/environ`, 'latin1').includes(text);
    } catch {
      return false; // It ended meanwhile.
    }
  });
}

/** The data folder's own name: the same inside and outside of a root. */
const folderName = (dataDir: string): string => dataDir.split('/').at(-1) as string;

/** A close by the operator is no `error` to amqplib; `close` brings its text. */
async function closedByBroker(connection: ChannelModel): Promise<string> {
  const [error] = (await once(connection, 'close')) as [Error | undefined];
  return error?.message ?? '';
}

/** Resolves once the broker has closed a connection, be it while that was still opening. */
async function connectUntilClosed(url: string): Promise<void> {
  try {
    const connection = await connect(url);
    const closed = once(connection, 'close');
    // Rejects when the close came together with the last step of opening, before anybody could listen.
    await connection.createChannel();
    await closed;
  } catch {}
}

async function sendDurably(url: string, queue: string, text: string): Promise<void> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  channel.sendToQueue(queue, Buffer.from(text), { persistent: true });
  await channel.waitForConfirms();
  await connection.close();
}

async function takeOne(url: string, queue: string): Promise<string | undefined> {
  const connection = await connect(url);
  const channel = await connection.createChannel();
  const message = new Promise<string>((resolve) => {
    void channel.consume(queue, (delivery) => resolve(String(delivery?.content)), { noAck: true });
  });
  const text = await message;
  await connection.close();
  return text;
}

describe.skipIf(roots.length === 0).each(roots)('a private node of the system in %s', (root) => {
  let node: PrivateNode;
  beforeAll(async () => {
    node = await startPrivateNode({ root });
  }, START_MS);
  afterAll(async () => node?.stop());

  it('answers on its own port with the version of the installed server', async () => {
    const greeting = await greetBroker('127.0.0.1', node.amqpPort, 2000);
    expect(greeting).toEqual({ version: node.version });
    expect(node.version).toBe(installedServer(root)?.version ?? node.version);
    const connection = await connect(node.url);
    await connection.close();
  });

  it('runs rabbitmqctl against itself and passes its errors on', async () => {
    expect(await node.eval('node().')).toBe(node.nodeName);
    expect(await node.ctl('list_users')).toContain('guest');
    await expect(node.ctl('add_user', 'guest', 'x')).rejects.toThrow(/already exists/);
  });

  it('blocks publishers while the memory alarm is on', async () => {
    const connection = await connect(node.url);
    const channel = await connection.createConfirmChannel();
    const blocked = once(connection, 'blocked');
    await node.setMemoryAlarm(true);
    channel.publish('', 'nowhere', Buffer.from('x'));
    await blocked;
    const unblocked = once(connection, 'unblocked');
    await node.setMemoryAlarm(false);
    await unblocked;
    await channel.waitForConfirms();
    await connection.close();
  });

  it('closes every connection once', async () => {
    const connection = await connect(node.url);
    const closed = closedByBroker(connection);
    await node.closeAllConnections('enough for today');
    expect(await closed).toContain('enough for today');
  });

  it('closes connections again and again until stopped', async () => {
    const closer = await node.closeConnectionsEvery(100, 10_000);
    for (let round = 0; round < 3; round += 1) await connectUntilClosed(node.url);
    await closer.stop();
    const connection = await connect(node.url);
    expect(await node.eval('length(rabbit_networking:connections()).')).toBe('1');
    await connection.close();
  });

  it('has a log that is as slow as is wanted, until that is stopped', async () => {
    const connection = await connect(node.url);
    const channel = await connection.createConfirmChannel();
    const queue = 'slow-log';
    await channel.assertQueue(queue, { arguments: { 'x-queue-type': 'quorum' } });
    const publish = async () => {
      const startedAtMs = performance.now();
      channel.sendToQueue(queue, Buffer.from('x'));
      await channel.waitForConfirms();
      return performance.now() - startedAtMs;
    };
    await publish();
    const slow = await node.slowLog(2_000);
    expect(await publish()).toBeGreaterThan(1_000);
    await slow.stop();
    expect(await publish()).toBeLessThan(1_000);
    await connection.close();
  });

  it('answers nothing while paused', async () => {
    try {
      await node.pause();
      expect(await isRabbitListening('127.0.0.1', node.amqpPort, 300)).toBe(false);
    } finally {
      node.resume();
    }
    expect(await isRabbitListening('127.0.0.1', node.amqpPort, 5000)).toBe(true);
  });

  it('keeps a confirmed message through a kill and a restart', async () => {
    await sendDurably(node.url, 'kept', 'still here');
    await node.flushDeclarations();
    await node.kill();
    expect(processesNaming(folderName(node.dataDir))).toEqual([]);
    await node.restart();
    expect(await takeOne(node.url, 'kept')).toBe('still here');
  });

  it('leaves no process and no folder behind', async () => {
    await node.stop();
    expect(processesNaming(folderName(node.dataDir))).toEqual([]);
    expect(existsSync(node.dataDir)).toBe(false);
    await node.stop();
  });

  it('does not outlive a parent that is killed', { timeout: START_MS }, async () => {
    const script = `import { startPrivateNode } from '@warren/local-broker';
      const node = await startPrivateNode({ root: process.argv[1] });
      console.log(node.dataDir);
      setInterval(() => undefined, 1000);`;
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, root];
    const parent = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const dataDir = line.toString().trim();
    expect(processesNaming(folderName(dataDir))).not.toEqual([]);
    parent.kill('SIGKILL');
    await expect.poll(() => existsSync(dataDir), { timeout: 10_000 }).toBe(false);
    await expect.poll(() => processesNaming(folderName(dataDir)), { timeout: 10_000 }).toEqual([]);
  });
});

describe.skipIf(!installedServer())('a data folder that is given', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'warren-kept-'));
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  it('is kept, and used by one node at a time', { timeout: START_MS }, async () => {
    const first = await startPrivateNode({ root: '/', dataDir });
    await sendDurably(first.url, 'kept', 'for the next');
    await expect(startPrivateNode({ root: '/', dataDir })).rejects.toThrow(/in use/);
    expect(await isRabbitListening('127.0.0.1', first.amqpPort, 2000)).toBe(true);
    await first.stop();
    const second = await startPrivateNode({ root: '/', dataDir });
    expect(await takeOne(second.url, 'kept')).toBe('for the next');
    await second.stop();
    expect(existsSync(dataDir)).toBe(true);
  });

  it('is told about when the node does not start', async () => {
    const start = startPrivateNode({ root: '/', dataDir, extraConfig: 'no.such.setting = 1' });
    await expect(start).rejects.toThrow(/ended while starting[\s\S]*no\.such\.setting/);
    expect(processesNaming(folderName(dataDir))).toEqual([]);
  });
});
