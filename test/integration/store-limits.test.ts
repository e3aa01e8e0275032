import { type GcraState, gcra, UNUSED } from '@warren/limiter';
import type { LimitAnswer } from '@warren/store';
import { testStores } from '@warren/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ask = { name: 'test', wanted: 0, putOff: 0, maxPutOffMs: 3_600_000 };
const rule = fc.record({
  intervalMs: fc.constantFrom(0.5, 1, 7.3, 40, 60_000),
  burst: fc.integer({ min: 1, max: 6 }),
});
const asks = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    wanted: fc.integer({ min: 0, max: 9 }),
    putOff: fc.integer({ min: 0, max: 3 }),
    rule,
  }),
  { minLength: 2, maxLength: 12 },
);

testStores({ describe, beforeAll, afterAll }, (bench) => {
  it('grants what the pure rule grants, by the clock of the database, whatever becomes of the rule', async () => {
    const { limits } = bench.store;
    let round = 0;
    await fc.assert(
      fc.asyncProperty(asks, async (all) => {
        round += 1;
        const states = new Map<string, GcraState>();
        for (const { key, rule: limit, ...counts } of all) {
          const asked = { ...ask, ...limit, ...counts, maxPutOffMs: 200 };
          const [answer] = await limits.ask([{ ...asked, key: `${round} ${key}` }]);
          const { atMs, ...told } = answer as LimitAnswer;
          const before = states.get(key) ?? UNUSED;
          const model = gcra(before, asked, atMs);
          expect(told).toEqual({
            ...model.answer,
            freeInMs: expect.closeTo(model.answer.freeInMs, 2),
            putOffInMs: expect.closeTo(model.answer.putOffInMs, 2),
          });
          states.set(key, model.state);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('answers for many keys at once, in their order, also for those that a database cannot keep', async () => {
    const { limits } = bench.store;
    const limit = { ...ask, intervalMs: 60_000, burst: 2 };
    const keys = ['z', 'a', '', 'ä\0\ud800', 'x'.repeat(5_000), `${'x'.repeat(4_999)}y`];
    const requests = keys.map((key, at) => ({ ...limit, key: `many ${key}`, wanted: at }));
    const granted = async () => (await limits.ask(requests)).map((answer) => answer.granted);
    expect(await granted()).toEqual([0, 1, 2, 2, 2, 2]);
    expect(await granted()).toEqual([0, 1, 0, 0, 0, 0]);
  });

  it('grants as much to many who ask at once as to one', async () => {
    const stores = [bench.store, await bench.open(), await bench.open()];
    const limit = { ...ask, intervalMs: 20, burst: 5 };
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const keys = at % 2 === 0 ? ['one', 'two'] : ['two', 'one'];
        const requests = keys.map((key) => ({ ...limit, key, wanted: 3 }));
        const told = await stores[at % 3]?.limits.ask(requests);
        return told?.[keys.indexOf('one')];
      }),
    );
    const known = answers.filter((answer) => answer !== undefined);
    const times = known.map(({ atMs }) => atMs);
    const tookMs = Math.max(...times) - Math.min(...times);
    const granted = known.reduce((sum, answer) => sum + answer.granted, 0);
    expect(granted).toBeGreaterThanOrEqual(5);
    expect(granted).toBeLessThanOrEqual(5 + tookMs / 20 + 0.001);
  });

  it('tells what is used of each limit, the busiest keys first', async () => {
    const { limits } = bench.store;
    const limit = { ...ask, name: 'uses', intervalMs: 60_000, burst: 3 };
    await limits.ask([
      { ...limit, key: 'idle' },
      { ...limit, key: 'some', wanted: 1 },
      { ...limit, key: 'all', wanted: 9 },
      { ...limit, key: 'late', wanted: 3, putOff: 5 },
      { ...limit, name: 'uses-none', key: '' },
    ]);
    const told = (await limits.uses()).filter(({ name }) => name.startsWith('uses'));
    expect(told).toEqual([
      {
        name: 'uses',
        keys: 3,
        busiest: [
          expect.objectContaining({ key: 'late', left: 0, putOffMs: expect.closeTo(360_000, -4) }),
          expect.objectContaining({ key: 'all', left: 0, freeInMs: expect.closeTo(60_000, -4) }),
          { key: 'some', burst: 3, left: 2, freeInMs: 0, putOffMs: 0 },
        ],
      },
      { name: 'uses-none', keys: 0, busiest: [] },
    ]);
  });

  it('forgets keys that are as if they had never been used', async () => {
    const { limits, retention } = bench.store;
    await limits.ask([
      { ...ask, key: 'used', intervalMs: 3_600_000, burst: 1, wanted: 1 },
      { ...ask, key: 'unused', intervalMs: 1, burst: 1, wanted: 1 },
    ]);
    let forgotten = 0;
    while (forgotten === 0) forgotten += await retention.limits({ olderThanMs: 0, limit: 1_000 });
    const [used] = await limits.ask([
      { ...ask, key: 'used', intervalMs: 3_600_000, burst: 1, wanted: 1 },
    ]);
    expect(used?.granted).toBe(0);
  });
});
