import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newJobId } from '@warren/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FileLedger } from './file-ledger.ts';

let folder: string;
let ledger: FileLedger;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warren-ledger-'));
  ledger = new FileLedger(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const key = (fill: number) => Buffer.alloc(16, fill);
async function begin(id = newJobId()): Promise<string> {
  const what = { selection: { types: ['a.b'] }, settings: { limit: 3 }, reason: 'why' };
  await ledger.begin({ id, kind: 'replay', queue: 'a.b.dead', actor: 'ada@here', ...what });
  return id;
}

it('is empty before anything is in it', async () => {
  expect(await ledger.list({ limit: 5 })).toEqual({ items: [], cursor: undefined });
  expect(await ledger.find('nobody')).toBeUndefined();
  expect(await ledger.find('../../etc/passwd')).toBeUndefined();
});

it('remembers what was chosen and what is done, whatever cut it off', async () => {
  const id = await begin();
  expect(await ledger.find(id)).toMatchObject({ state: 'choosing', reason: 'why', starts: 1 });
  await ledger.fix(id, [key(9)]);
  await ledger.fix(id, [Buffer.concat([key(1), key(2)]), key(3)]);
  await ledger.addDone(id, key(2));
  await appendFile(ledger.pathOf(id), '{"is":"done","keys":"AAAA');
  expect(await ledger.find(id)).toMatchObject({ state: 'running', chosen: 3, done: 1 });
  await ledger.resume(id);
  await ledger.addDone(id, key(3));
  expect(await ledger.find(id)).toMatchObject({ chosen: 3, done: 2, starts: 2 });
  const parts = await ledger.keys(id, { afterSeq: 0 });
  expect(await ledger.keys(id, { afterSeq: parts.at(-1)?.seq ?? 0 })).toEqual([]);
  expect(parts.map(({ isDone, keys }) => [isDone, keys.length])).toEqual([
    [false, 32],
    [false, 16],
    [true, 16],
    [true, 16],
  ]);
});

it('ends, and goes on', async () => {
  const id = await begin();
  await ledger.fix(id, [key(1)]);
  await ledger.passCanary(id);
  expect(await ledger.beat(id)).toBe(false);
  await ledger.end(id, { problem: 'asked to', report: { replayed: 0 } });
  expect(await ledger.find(id)).toMatchObject({
    state: 'stopped',
    problem: 'asked to',
    report: { replayed: 0 },
    isCanaryPassed: true,
  });
  expect(await ledger.resume(id)).toBe(true);
  expect(await ledger.find(id)).toMatchObject({ state: 'running', starts: 2, problem: undefined });
  await ledger.end(id, { report: {} });
  expect(await ledger.find(id)).toMatchObject({ state: 'ended' });
  expect(await ledger.resume('nobody')).toBe(false);
});

it('lists the newest first, page by page', async () => {
  // Made by the clock, two of one millisecond come in any order.
  const later = (n: number) => `f0000000-0000-7000-8000-00000000000${n}`;
  const ids = [await begin(later(1)), await begin(later(2))];
  const first = await ledger.list({ limit: 1 });
  expect(first.items.map(({ id }) => id)).toEqual([ids[1]]);
  const second = await ledger.list({ limit: 1, cursor: first.cursor });
  expect(second.items[0]?.id).toBe(ids[0]);
});

it('says where it cannot write', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  const sealed = new FileLedger(join(file, 'ledger'));
  const run = { id: newJobId(), kind: 'replay', queue: 'q', actor: 'a' } as const;
  const begun = sealed.begin({ ...run, selection: {}, settings: {} });
  await expect(begun).rejects.toThrow(file);
});
