import { BrokerSession } from '@warren/broker';
import { defineJob, pii } from '@warren/contracts';
import { discard } from '@warren/dead-letter';
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
  startProxy,
  takeIds,
} from '@warren/testing';
import { handle } from '@warren/worker';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommand } from './support/command.ts';

const job = defineJob({
  type: 'mail.probe',
  schema: z.object({ n: z.number(), to: pii(z.string()).optional() }),
  retry: { maxAttempts: 1 },
});
const HOUR_MS = 3_600_000;

let here: Installation;
let bench: StoreBench & { dispose(): Promise<void> };
let history: SeenHistory;
beforeAll(async () => {
  here = await install([job], { history: true });
  const session = await open();
  await session.declare(here.topology);
  await session.close();
  bench = await openStoreBench({ namespace: here.namespace });
  history = seeHistory(here);
});
afterEach(async () => {
  for (const queue of [deadQueue(), workQueue()]) await here.admin.take(queue);
});
afterAll(async () => {
  await history.close();
  await bench.dispose();
  await here.dispose();
});

const open = (url = here.url) =>
  BrokerSession.open({ connection: { urls: [url] }, service: 'test' });
const deadQueue = () => here.topology.names.deadQueue(job.type);
const workQueue = () => here.topology.names.workQueue(job.type);

/** Fills the queue of dead letters with `a-1`, `b-2`, `a-3`, …: two kinds of trouble, a minute apart. */
async function bury(count: number): Promise<string[]> {
  const ids: string[] = [];
  await here.admin.run(async (channel) => {
    for (let n = 1; n <= count; n += 1) {
      const kind = n % 2 === 1 ? 'a' : 'b';
      ids.push(`${kind}-${n}`);
      channel.sendToQueue(deadQueue(), Buffer.from(JSON.stringify({ n, to: 'you@example.org' })), {
        messageId: `${kind}-${n}`,
        type: job.type,
        persistent: true,
        headers: {
          'x-dead-reason': 'attempts_exhausted',
          'x-origin': workQueue(),
          'x-dead-at': Date.now() - HOUR_MS + n,
          'x-error': `attempt 1: ${kind === 'a' ? 'TypeError' : 'Error [EBOX]'}: trouble ${n}`,
        },
      });
    }
  });
  await eventually('all are dead', async () => (await here.admin.depth(deadQueue())) === count);
  return ids;
}

interface More {
  readonly input?: string;
  readonly confirm?: () => Promise<boolean>;
  readonly progress?: (text: string) => void;
  readonly env?: Readonly<Record<string, string>>;
}
const command = (args: readonly string[], { env, ...more }: More = {}) =>
  runCommand(args, {
    env: {
      AMQP_URL: here.url,
      DATABASE_URL: sharedDatabaseUrl(),
      WARREN_NAMESPACE: here.namespace,
      ...env,
    },
    jobs: [job],
    ...more,
  });
const left = async () =>
  (await here.admin.take(deadQueue())).map(({ properties }) => properties.messageId);
const audited = async (action: string) =>
  (await bench.store.audit.list({ limit: 100 })).items.find((one) => one.action === action);

describe('a selection', () => {
  it('takes what is meant, however much is passed over, and leaves the rest in its order', async () => {
    const ids = await bury(1_500);
    const groups = JSON.parse((await command(['dead', 'groups', job.type, '--json'])).stdout) as {
      depth: number;
      groups: { count: number; errorClass: string; fingerprint: string; sampleId: string }[];
    };
    expect(groups).toMatchObject({
      depth: 1_500,
      groups: [{ count: 750 }, { count: 750 }],
    });
    const [b] = groups.groups.filter(({ errorClass }) => errorClass === 'Error [EBOX]');
    const ofB = ['--fingerprint', b?.fingerprint ?? '', '--json'];
    const list = await command(['dead', 'list', job.type, ...ofB, '--limit', '3', '--after', '2']);
    expect(JSON.parse(list.stdout)).toMatchObject({
      depth: 1_500,
      next: 8,
      deadLetters: [{ id: 'b-4' }, { id: 'b-6' }, { id: 'b-8', position: 8 }],
    });
    const shown = await command(['dead', 'list', job.type, '--id', 'b-8', '--error', 'EBOX']);
    expect(shown.stdout).toMatch(/: 1500 dead letters, 1 of those that are meant:\n\n.*b-8/);
    const grouped = await command(['dead', 'groups', job.type, '--error', 'EBOX', '--json']);
    expect(JSON.parse(grouped.stdout)).toMatchObject({ groups: [{ count: 750 }], depth: 1_500 });
    const args = ['dead', 'replay', job.type, ...ofB];
    const dry = await command([...args, '--dry-run']);
    expect(JSON.parse(dry.stdout)).toMatchObject({ selected: 750, replayed: 750, passed: 750 });
    const done = await command([...args, '--reason', 'the box is there again']);
    expect(JSON.parse(done.stdout)).toMatchObject({
      depth: 1_500,
      selected: 750,
      replayed: 750,
      passed: 750,
      stopped: null,
    });
    expect(done.code).toBe(0);
    const meant = ids.filter((id) => id.startsWith('b'));
    expect((await takeIds(here.url, workQueue())).sort()).toEqual([...meant].sort());
    expect(await left()).toEqual(ids.filter((id) => id.startsWith('a')));
    // Of each try, where it is tried again.
    for (const event of await history.until('b-1500', 'replayed')) {
      expect(event).toMatchObject({
        queue: job.type,
        generation: 1,
        by: expect.stringContaining('@'),
      });
    }
    expect(await audited('dead.replay.ended')).toMatchObject({
      details: { reason: 'the box is there again', report: { replayed: 750 } },
    });
  });

  it('of one by its id, of some by class and time, of as many as are wanted', async () => {
    await bury(6);
    const replay = async (...args: string[]) => {
      const { stdout } = await command(['dead', 'replay', job.type, '--json', ...args]);
      const { replayed } = JSON.parse(stdout) as { replayed: number };
      return { replayed, ids: await takeIds(here.url, workQueue()) };
    };
    expect(await replay('--id', 'b-4')).toEqual({ replayed: 1, ids: ['b-4'] });
    expect(await replay('--error', 'EBOX', '--limit', '1')).toEqual({ replayed: 1, ids: ['b-2'] });
    expect(await replay('--since', '30m')).toEqual({ replayed: 0, ids: [] });
    expect(await replay('--type', 'other.type')).toEqual({ replayed: 0, ids: [] });
    expect(await replay('--until', '30m', '--error', 'TypeError', '--rate', '20')).toEqual({
      replayed: 3,
      ids: ['a-1', 'a-3', 'a-5'],
    });
    expect(await left()).toEqual(['b-6']);
  });
});

describe('a discard', () => {
  it('asks, says why, is told to history and audit, and takes no more than was agreed to', async () => {
    await bury(6);
    const args = ['dead', 'discard', job.type, '--error', 'TypeError', '--reason', 'test data'];
    const refused = await command(args, { confirm: async () => false });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const mute = await command(args);
    expect(mute).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await here.admin.depth(deadQueue())).toBe(6);
    const done = await command(args, { confirm: async () => true });
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('Discarded 3 of 3') });
    expect(await left()).toEqual(['b-2', 'b-4', 'b-6']);
    const told = await history.until('a-5', 'discarded');
    expect(told.at(-1)).toMatchObject({ kind: 'discarded', queue: job.type, generation: 0 });
    expect(await audited('dead.discard')).toMatchObject({
      actor: expect.stringContaining('@'),
      details: { reason: 'test data', limit: 3, selection: { error: ['TypeError'] } },
    });
  });

  it('cut off in the middle has lost none that it did not count', async () => {
    const ids = await bury(3_000);
    const way = await startProxy(here.url);
    const session = await open(way.url);
    const source = { queue: deadQueue(), workQueue: workQueue() };
    const how = { holder: 'test', window: 50, ratePerSecond: 1_000 };
    const running = discard({ session, topology: here.topology, source, ...how });
    await eventually(
      'it has begun',
      async () => ((await here.admin.depth(deadQueue())) ?? 0) < 2_500,
    );
    way.setOpen(false);
    const { discarded, unknown, stopped } = await running;
    way.stop();
    expect(stopped?.reason).toBe('connection_lost');
    const rest = await eventually('they are back', async () => {
      const kept = await takeIds(here.url, deadQueue());
      return kept.length > 0 && kept;
    });
    expect(new Set([...rest, ...ids.slice(0, ids.length - rest.length)]).size).toBe(3_000);
    expect(rest.length).toBeGreaterThanOrEqual(3_000 - discarded - unknown);
  });
});

describe('an edit', () => {
  it('sends what fits the schema, keeps old and new, and else sends nothing', async () => {
    await bury(3);
    const edit = (patch: string) => command(['dead', 'edit', job.type, 'b-2', '--patch', patch]);
    expect(await edit('{"n":')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--patch'),
    });
    const wrong = await edit('{"n":"two"}');
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('n: ') });
    expect(await here.admin.depth(workQueue())).toBe(0);
    expect(await edit('{"n":22}')).toMatchObject({ code: 0 });
    const [sent] = await collect(here.admin, workQueue(), 1);
    expect(JSON.parse(String(sent?.content))).toEqual({ n: 22, to: 'you@example.org' });
    expect(sent?.properties).toMatchObject({ messageId: 'b-2', headers: { 'x-generation': 1 } });
    expect(await audited('dead.edit')).toMatchObject({
      details: { id: 'b-2', before: { n: 2 }, after: { n: 22 } },
    });
    const shown = await command(['dead', 'show', job.type, 'a-3']);
    expect(shown.stdout).toMatch(/place +2 in/);
    expect(shown.stdout).not.toContain('you@example.org');
    expect(await command(['dead', 'show', job.type, 'b-2'])).toMatchObject({ code: 1 });
    expect(await left()).toEqual(['a-1', 'a-3']);
  });
});

describe('an export', () => {
  it('takes nothing, and comes back byte for byte, to the dead letters or to the queues', async () => {
    await bury(3);
    const bytes = Buffer.from([0xff, 0, 0x0a]);
    const headers = {
      tenant: 't',
      list: [1, { deep: [null, 'ü'] }],
      bytes,
      when: { '!': 'timestamp', value: 1_700_000_000 },
    };
    await here.admin.publish('', deadQueue(), bytes, {
      messageId: 'raw',
      headers: { ...headers, odd: Object.create({ '!': 'nope' }) as unknown },
    });
    await eventually('all are there', async () => (await here.admin.depth(deadQueue())) === 4);
    const redacted = await command(['dead', 'export', job.type]);
    expect(redacted.stdout).not.toContain('you@example.org');
    expect(await command(['dead', 'import'], { input: redacted.stdout })).toMatchObject({
      code: 2,
    });
    const { stdout, stderr } = await command(['dead', 'export', job.type, '--show-pii']);
    expect(stderr).toContain('no line can hold these headers of raw: odd');
    expect(await left()).toEqual(['a-1', 'b-2', 'a-3', 'raw']);
    const broken = `${stdout}\n{"format":`;
    const refused = await command(['dead', 'import'], { input: broken });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('line 6: not JSON') });
    expect(await here.admin.depth(deadQueue())).toBe(0);
    const told: string[] = [];
    const progress = (text: string) => void told.push(text);
    const imported = await command(['dead', 'import'], { input: stdout, progress });
    expect(imported).toMatchObject({ code: 0, stdout: 'Imported 4 of 4 dead letters\n' });
    expect(told.join('')).toMatch(/Checking 1\b.*Importing \[[#-]+\] \d+ % +1 of 4\b/s);
    expect(told.at(-1), 'nothing of it stays').toBe('\r\u001b[K');
    const back = await collect(here.admin, deadQueue(), 4);
    const raw = back.find(({ properties }) => properties.messageId === 'raw');
    expect(raw?.content.equals(bytes)).toBe(true);
    expect(raw?.properties.headers).toMatchObject(headers);
    expect(raw?.properties.headers).not.toHaveProperty('odd');
    const [first] = back.filter(({ properties }) => properties.messageId === 'a-1');
    expect(first?.properties.headers).toMatchObject({
      'x-dead-reason': 'attempts_exhausted',
      'x-error': 'attempt 1: TypeError: trouble 1',
    });
    expect(await command(['dead', 'import', '--to-queue'], { input: stdout })).toMatchObject({
      code: 0,
    });
    expect((await takeIds(here.url, workQueue())).sort()).toEqual(['a-1', 'a-3', 'b-2', 'raw']);
  });
});

describe('a canary', () => {
  it('stops after the first few where they fail again and touches no other; where they do not, the rest follows', async () => {
    const ids = await bury(12);
    let isMended = false;
    const worker = await here.work([
      handle(job, () => {
        if (!isMended) throw new Error('still broken');
      }),
    ]);
    const replay = (more: Parameters<typeof command>[1] = {}) =>
      command(['dead', 'replay', job.type, '--canary', '3', '--json'], more);
    const generations = new Map<string, number>();
    const listed = async () => {
      const { stdout } = await command(['dead', 'list', job.type, '--limit', '20', '--json']);
      const { deadLetters } = JSON.parse(stdout) as {
        deadLetters: { id: string; generation: number }[];
      };
      return deadLetters.map(({ id, generation }) => ({ id, generation }));
    };
    // By the history, and by looking at the dead letters.
    for (const WARREN_HISTORY of ['true', 'false']) {
      const failed = await replay({ env: { WARREN_HISTORY } });
      expect(failed.code).toBe(1);
      expect(JSON.parse(failed.stdout)).toMatchObject({
        replayed: 3,
        stopped: { reason: 'canary_failed' },
      });
      const depth = () => here.admin.depth(deadQueue());
      await eventually('they are dead again', async () => (await depth()) === 12);
      const tried = ids.splice(0, 3);
      const letters = await listed();
      const rest = letters.slice(0, ids.length);
      expect(rest).toEqual(ids.map((id) => ({ id, generation: generations.get(id) ?? 0 })));
      for (const id of tried) generations.set(id, (generations.get(id) ?? 0) + 1);
      // Who failed again is behind them, in the order in which that was.
      const again = letters.slice(ids.length);
      expect(again.map(({ id }) => id).sort()).toEqual([...tried].sort());
      for (const { id, generation } of again) expect(generation).toBe(generations.get(id));
      ids.push(...again.map(({ id }) => id));
    }
    isMended = true;
    const mended = await replay();
    expect(JSON.parse(mended.stdout)).toMatchObject({ replayed: 12, stopped: null });
    await eventually('all are done', async () => (await here.admin.depth(workQueue())) === 0);
    await worker.stop();
    expect(await here.admin.depth(deadQueue())).toBe(0);
  });
});
