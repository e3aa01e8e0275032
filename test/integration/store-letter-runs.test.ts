import { newJobId } from '@warren/contracts';
import { testStores } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const key = (fill: number) => Buffer.alloc(16, fill);
const facts = { kind: 'replay', queue: 'email.send.dead', actor: 'ada@here' } as const;

testStores({ describe, beforeAll, afterAll }, (bench) => {
  const begin = async () => {
    const id = newJobId();
    const selection = { types: ['email.send'] };
    const given = { ...facts, reason: 'mail\0 is back', selection, settings: { limit: 3 } };
    await bench.store.letterRuns.begin({ id, ...given });
    return id;
  };

  it('remembers who chose what, how far it came, and how it ended', async () => {
    const runs = bench.store.letterRuns;
    const id = await begin();
    expect(await runs.find(id)).toMatchObject({
      ...facts,
      id,
      reason: 'mail is back',
      selection: { types: ['email.send'] },
      settings: { limit: 3 },
      state: 'choosing',
      isFixed: false,
      chosen: 0,
      done: 0,
      starts: 1,
    });
    // Twice: what was fixed by a start that was cut off does not count.
    await runs.fix(id, [key(9)]);
    await runs.fix(id, [Buffer.concat([key(1), key(2)]), key(3)]);
    await runs.addDone(id, Buffer.concat([key(1), key(3)]));
    const parts = await runs.keys(id, { afterSeq: 0, limit: 2 });
    const rest = await runs.keys(id, { afterSeq: parts.at(-1)?.seq ?? 0, limit: 2 });
    expect([...parts, ...rest].map(({ isDone, keys }) => [isDone, keys])).toEqual([
      [false, Buffer.concat([key(1), key(2)])],
      [false, key(3)],
      [true, Buffer.concat([key(1), key(3)])],
    ]);
    const under = { state: 'running', isFixed: true, chosen: 3, done: 2 };
    expect(await runs.find(id)).toMatchObject(under);
    await runs.end(id, { problem: 'it was asked to end', report: { replayed: 2 } });
    expect(await runs.find(id)).toMatchObject({
      ...under,
      state: 'stopped',
      problem: 'it was asked to end',
      report: { replayed: 2 },
      endedAtMs: expect.any(Number),
    });

    await runs.passCanary(id);
    expect(await runs.resume(id)).toBe(true);
    const again = await runs.find(id);
    expect(again).toMatchObject({ ...under, starts: 2, isCanaryPassed: true });
    expect(again).toMatchObject({ problem: undefined, report: undefined, endedAtMs: undefined });
    await runs.addDone(id, key(2));
    await runs.end(id, { report: { replayed: 1 } });
    expect(await runs.find(id)).toMatchObject({ state: 'ended', chosen: 3, done: 3 });
    expect(await runs.keys(id, { afterSeq: 0, limit: 9 })).toEqual([]);
  });

  it('takes a wish to stop to whoever runs it, and knows of none that does not run', async () => {
    const runs = bench.store.letterRuns;
    const id = await begin();
    expect(await runs.beat(id)).toBe(false);
    expect(await runs.askToStop(id)).toBe(true);
    expect(await runs.find(id)).toMatchObject({ isStopAsked: true });
    expect(await runs.beat(id)).toBe(true);
    await runs.end(id, { problem: 'asked', report: undefined });
    expect(await runs.askToStop(id)).toBe(false);
    expect(await runs.resume(id)).toBe(true);
    expect(await runs.beat(id)).toBe(false);
    for (const nobody of ['', 'no\0body']) {
      expect(await runs.find(nobody)).toBeUndefined();
      expect(await runs.resume(newJobId())).toBe(false);
      expect(await runs.askToStop(nobody)).toBe(false);
    }
  });

  it('lists runs, the newest first', async () => {
    const runs = bench.store.letterRuns;
    const ids = [await begin(), await begin(), await begin()];
    const first = await runs.list({ limit: 2 });
    expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    const second = await runs.list({ limit: 2, cursor: first.cursor });
    expect(second.items[0]?.id).toBe(ids[0]);
    await expect(runs.list({ limit: 2, cursor: 'x' })).rejects.toMatchObject({
      code: 'CURSOR_INVALID',
    });
  });
});
