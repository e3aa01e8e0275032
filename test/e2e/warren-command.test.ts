import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BrokerSession } from '@warren/broker';
import { catalog, sendEmail } from '@warren/catalog';
import {
  AmqpAdmin,
  deleteNamespace,
  eventually,
  newNamespace,
  sharedBrokerUrl,
  takeIds,
  unusedPort,
} from '@warren/testing';
import { createNames } from '@warren/topology';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../integration/support/command.ts';
import { Program } from './support/program.ts';

const url = sharedBrokerUrl();
const namespace = newNamespace();
const names = createNames(namespace);
const deadQueue = names.deadQueue(sendEmail.type);
const workQueue = names.workQueue(sendEmail.type);
const dataDir = mkdtempSync(join(tmpdir(), 'warren-command-'));
const usual = { AMQP_URL: url, WARREN_NAMESPACE: namespace, WARREN_DATA_DIR: dataDir };
const ESCAPES = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e';
const UNSAFE = /(?!\n)[\p{Cc}\u202e]/u;

let admin: AmqpAdmin;
beforeAll(async () => {
  admin = await AmqpAdmin.connect(url);
  const applied = await warren(['topology', 'apply']);
  expect(applied).toMatchObject({ code: 0 });
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  await admin.close();
  await deleteNamespace(
    url,
    namespace,
    catalog.map(({ type }) => type),
  );
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Program {
  return new Program(['services/admin/bin/warren.mjs', ...args], {
    ...usual,
    ...env,
  });
}

/** In this process: a start costs a second. */
const warren = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(args, {
    env: { ...usual, ...env },
    jobs: catalog,
  });

async function warrenProcess(args: readonly string[], env?: Readonly<Record<string, string>>) {
  const program = start(args, env);
  const { code } = await program.exited;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

const bury = (messageId: string, payload: unknown, headers: Record<string, unknown> = {}) =>
  admin.publish('', deadQueue, JSON.stringify(payload), {
    messageId,
    persistent: true,
    headers: { 'x-dead-reason': 'non_retryable', 'x-origin': workQueue, ...headers },
  });
const mail = { to: 'you@example.org', subject: 'Hello', text: 'secret words' };

describe('warren topology', () => {
  it('finds no difference after it was applied, and applies again', async () => {
    expect(await warren(['topology', 'diff'])).toMatchObject({
      code: 0,
      stdout: 'No difference in what could be seen.\n',
      stderr: expect.stringContaining('WARREN_MANAGEMENT_URL'),
    });
    const again = await warren(['topology', 'apply']);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(' 0 exchanges') });
  });

  it('says what is missing and what differs, and makes nothing', async () => {
    const other = newNamespace();
    const env = { WARREN_NAMESPACE: other };
    const queue = createNames(other).deadQueue(sendEmail.type);
    await admin.run((channel) => channel.assertQueue(queue, { durable: true }));
    try {
      const { code, stdout } = await warren(['topology', 'diff'], env);
      expect(code).toBe(1);
      expect(stdout).toContain(`missing exchange ${other}.jobs\n`);
      expect(stdout).toContain(`differs queue ${queue}`);
      expect(await admin.depth(`${other}.${sendEmail.type}`)).toBeUndefined();
      const applied = await warren(['topology', 'apply'], env);
      expect(applied).toMatchObject({ code: 1, stderr: expect.stringContaining(queue) });
    } finally {
      await deleteNamespace(
        url,
        other,
        catalog.map(({ type }) => type),
      );
    }
  });
});

describe('warren dead list', () => {
  it('shows reasons, hides personal data and disarms escapes', async () => {
    await bury(`id${ESCAPES}`, { ...mail, subject: `Hello${ESCAPES}` }, { 'x-error': ESCAPES });
    await bury('fits', mail, { 'x-error': 'attempt 1: Error: 550 no such mailbox\n  at x' });
    const { code, stdout, stderr } = await warren(['dead', 'list', 'email.send']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toMatch(UNSAFE);
    expect(stdout).toContain(`${deadQueue}: 2 dead letters:`);
    expect(stdout).toContain('attempt 1: Error: 550 no such mailbox');
    expect(stdout).toContain('"subject":"Hello"');
    expect(stdout).not.toContain('you@example.org');
    expect(stdout).not.toContain('secret words');
    const open = await warren(['dead', 'list', deadQueue, '--show-pii', '--limit', '2']);
    expect(open.stdout).toContain('you@example.org');
  });

  it('prints JSON that parses to what is there', async () => {
    const { code, stdout } = await warrenProcess(['dead', 'list', 'email.send.dead', '--json']);
    expect(code).toBe(0);
    expect(stdout).not.toMatch(UNSAFE);
    const { queue, depth, deadLetters } = JSON.parse(stdout) as {
      queue: string;
      depth: number;
      deadLetters: { id: string; reason: string; payload: unknown }[];
    };
    expect({ queue, depth }).toEqual({ queue: deadQueue, depth: 2 });
    expect(deadLetters.map(({ id }) => id)).toEqual([`id${ESCAPES}`, 'fits']);
    expect(deadLetters[1]?.payload).toEqual({
      to: '[redacted]',
      subject: 'Hello',
      text: '[redacted]',
    });
    expect(await admin.depth(deadQueue)).toBe(2);
  });
});

describe('warren dead replay', () => {
  it('says what it would do, does it, and has nothing left to do', async () => {
    await admin.take(deadQueue);
    await bury('one', mail);
    await bury('two', mail);
    const dry = await warren(['dead', 'replay', 'email.send', '--dry-run']);
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('would replay 2 of 2') });
    const part = await warren(['dead', 'replay', 'email.send', '--limit', '1', '--json']);
    expect(part.code).toBe(0);
    expect(JSON.parse(part.stdout)).toMatchObject({ depth: 2, selected: 1, replayed: 1 });
    const rest = await warren(['dead', 'replay', 'email.send']);
    expect(rest).toMatchObject({ code: 0, stdout: expect.stringContaining(`1 to ${workQueue}`) });
    expect(await takeIds(url, workQueue)).toEqual(['one', 'two']);
    const nothing = await warren(['dead', 'replay', 'email.send']);
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining('0 of 0') });
  });

  it('is refused while somebody else replays the same queue', async () => {
    const session = await BrokerSession.open({ connection: { urls: [url] }, service: 'test' });
    await session.lock(names.replayLock(deadQueue), `alice@host${ESCAPES}`);
    const refused = await warren(['dead', 'replay', 'email.send']);
    await session.close();
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('is held by alice@host');
    expect(refused.stderr).not.toMatch(UNSAFE);
  });

  it('killed in the middle loses nothing, repeats at most its window, and goes on', async () => {
    const count = 10_000;
    await admin.run(async (channel) => {
      for (let at = 0; at < count; at += 1) {
        channel.sendToQueue(deadQueue, Buffer.from('1'), { messageId: `id-${at}` });
      }
    });
    await eventually('all are dead', async () => (await admin.depth(deadQueue)) === count);
    const first = start(['dead', 'replay', 'email.send']);
    await eventually('it has begun', async () => ((await admin.depth(workQueue)) ?? 0) > 300);
    expect(await first.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    const ended = await eventually('the lock is free', async () => {
      const last = await warren(['dead', 'replay', 'email.send', '--json']);
      return last.code === 0 && last;
    });
    const { replayed, stopped } = JSON.parse(ended.stdout) as Record<string, unknown>;
    expect(stopped).toBeNull();
    expect(replayed).toBeGreaterThan(0);
    const seen = await takeIds(url, workQueue);
    expect(new Set(seen).size).toBe(count);
    expect(seen.length - count).toBeLessThanOrEqual(200);
    expect(await admin.depth(deadQueue)).toBe(0);
  });

  it('ends on SIGTERM after those in hand, and says how far it came', async () => {
    const count = 10_000;
    await admin.run(async (channel) => {
      for (let at = 0; at < count; at += 1) {
        channel.sendToQueue(deadQueue, Buffer.from('1'), { messageId: `id-${at}` });
      }
    });
    await eventually('all are dead', async () => (await admin.depth(deadQueue)) === count);
    const program = start(['dead', 'replay', 'email.send', '--json']);
    await eventually('it has begun', async () => ((await admin.depth(workQueue)) ?? 0) > 300);
    expect(await program.stop('SIGTERM')).toEqual({ code: 1, signal: null });
    const { replayed, unknown, stopped } = JSON.parse(program.stdout) as Record<string, unknown>;
    expect({ unknown, stopped }).toEqual({
      unknown: 0,
      stopped: { reason: 'interrupted', message: expect.any(String) },
    });
    const seen = await takeIds(url, workQueue);
    expect(seen.length).toBe(replayed);
    const left = await takeIds(url, deadQueue);
    expect(new Set([...seen, ...left]).size).toBe(count);
    expect(seen.length + left.length).toBe(count);
  });
});

describe('warren dead discard', () => {
  it('killed in the middle has dropped only what it came to', async () => {
    const count = 5_000;
    await admin.run(async (channel) => {
      for (let at = 0; at < count; at += 1) {
        channel.sendToQueue(deadQueue, Buffer.from('1'), { messageId: `id-${at}` });
      }
    });
    await eventually('all are dead', async () => (await admin.depth(deadQueue)) === count);
    const args = ['dead', 'discard', 'email.send', '--all', '--reason', 'test', '--yes'];
    const first = start(args);
    await eventually('it has begun', async () => {
      const depth = (await admin.depth(deadQueue)) ?? 0;
      return depth > 0 && depth < count - 500;
    });
    expect(await first.stop('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    const left = await eventually('the rest is there', async () => {
      const ids = await takeIds(url, deadQueue);
      return ids.length > 0 && ids;
    });
    // From the oldest on: what is left is the newest, but for those in hand.
    const oldest = Math.min(...left.map((id) => Number(id.slice(3))));
    expect(new Set(left).size).toBe(left.length);
    expect(count - oldest - left.length).toBeLessThanOrEqual(200);
  });
});

describe('exit codes', () => {
  it.each([
    [0, ['--help'], 'stdout', 'Exit codes'],
    [0, ['--version'], 'stdout', '0.1.0'],
    [2, [], 'stderr', 'Usage: warren'],
    [2, ['dead', 'lst'], 'stderr', 'Did you mean list?'],
    [2, ['dead', 'list'], 'stderr', 'needs <name>'],
    [2, ['dead', 'show', `x${ESCAPES}`], 'stderr', 'needs <name> and <id>, and there is only'],
    [2, ['dead', 'list', 'email.send', '--limit', '0'], 'stderr', 'from 1 to 10000'],
    [2, ['dead', 'list', 'email.send', '--nope'], 'stderr', 'unknown option'],
    [2, ['dead', 'list', 'emial.send'], 'stderr', 'did you mean email.send?'],
    [2, ['dead', 'replay', 'email.sen.dead'], 'stderr', 'did you mean'],
    [2, ['dead', 'list', `x${ESCAPES}`], 'stderr', 'is no job type'],
    [2, ['dead', 'discard', 'email.send', '--reason', 'x', '--yes'], 'stderr', '--all'],
  ] as const)('%i for %j', async (code, args, stream, text) => {
    const result = await warren(args);
    expect(result.code).toBe(code);
    expect(result[stream]).toContain(text);
    expect(result.stdout + result.stderr).not.toMatch(UNSAFE);
  });

  it('3 where no broker is, 2 for a wrong setting; passwords are not shown', async () => {
    const port = await unusedPort();
    const away = await warrenProcess(['dead', 'list', 'email.send'], {
      AMQP_URL: `amqp://u:hunter2@127.0.0.1:${port}`,
    });
    expect(away).toMatchObject({ code: 3, stdout: '' });
    expect(away.stderr).toContain('connection refused');
    expect(away.stderr).not.toContain('hunter2');
    const wrong = await warren(['topology', 'diff'], { WARREN_NAMESPACE: 'Not A Word' });
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('WARREN_NAMESPACE') });
    const typo = await warren(['--version'], { WARREN_NAMSPACE: 'x' });
    expect(typo.code).toBe(0);
  });
});
