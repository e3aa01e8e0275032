import { LANES, type Lane } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LaneSlots } from './lane-slots.ts';
import type { StartsWork } from './slots.ts';

/** Lanes whose work ends when the test says so. */
function lanes(limit: number) {
  const slots = new LaneSlots<number>(limit);
  const started: [Lane, number][] = [];
  const running: (() => void)[] = [];
  const abandoned = { high: 0, normal: 0, low: 0 };
  const by = Object.fromEntries(
    LANES.map((lane) => {
      const start = (item: number) => {
        started.push([lane, item]);
        return new Promise<void>((resolve) => void running.push(resolve));
      };
      return [lane, slots.join(lane, { start, abandoned: () => abandoned[lane] })];
    }),
  ) as Record<Lane, StartsWork<number>>;
  const endOne = async () => {
    running.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { slots, by, started, running, abandoned, endOne };
}

const step = fc.oneof(
  fc.record({ lane: fc.constantFrom(...LANES) }),
  fc.record({ end: fc.constant(true) }),
  fc.record({ remove: fc.constantFrom(...LANES) }),
);

describe('LaneSlots', () => {
  it('never runs more than the limit, keeps no slot idle, and has each lane in its order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(step), async (limit, steps) => {
        const { by, started, running, endOne } = lanes(limit);
        let next = 0;
        for (const one of steps) {
          if ('lane' in one) by[one.lane].add(next++);
          else if ('remove' in one) by[one.remove].remove((item) => item % 2 === 0);
          else await endOne();
          const waiting = LANES.reduce((sum, lane) => sum + by[lane].waiting, 0);
          expect(running.length).toBeLessThanOrEqual(limit);
          expect(waiting === 0 || running.length === limit).toBe(true);
        }
        for (const lane of LANES) {
          const items = started.filter(([of]) => of === lane).map(([, item]) => item);
          expect(items).toEqual([...items].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('has as many slots as it is given, whichever lane says so', async () => {
    const { by, running, endOne } = lanes(1);
    for (let n = 0; n < 9; n += 1) by.normal.add(n);
    by.high.resize(4);
    expect([running.length, by.low.limit]).toEqual([4, 4]);
    by.low.resize(2);
    await endOne();
    await endOne();
    expect(running).toHaveLength(2);
    await endOne();
    expect(running).toHaveLength(2);
  });

  it('gives a free slot to the urgent, and the low lane its share of them', async () => {
    const { by, started, endOne } = lanes(2);
    for (let n = 0; n < 300; n += 1) for (const lane of LANES) by[lane].add(n);
    for (let n = 0; n < 98; n += 1) await endOne();
    const counts = LANES.map((lane) => started.filter(([of]) => of === lane).length);
    expect(counts.reduce((a, b) => a + b)).toBe(100);
    expect(counts[0]).toBeGreaterThanOrEqual(58);
    expect(counts[2]).toBeGreaterThanOrEqual(9);
  });

  it('knows how many slots are held by what was given up, in all lanes together', () => {
    const { slots, abandoned } = lanes(3);
    Object.assign(abandoned, { high: 1, low: 2 });
    expect(slots.abandoned).toBe(3);
  });
});
