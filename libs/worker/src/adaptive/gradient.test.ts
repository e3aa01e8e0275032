import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstSearch, levelOf, nextSearch } from './gradient.ts';

const bounds = fc
  .record({
    min: fc.integer({ min: 1, max: 50 }),
    more: fc.integer({ min: 0, max: 200 }),
    latencyMs: fc.double({ min: 1, max: 10_000, noNaN: true }),
  })
  .map(({ min, more, latencyMs }) => ({ min, max: min + more, latencyMs }));
const seen = fc.record({
  perSecond: fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e9, noNaN: true })),
  latencyMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
});

describe('the search for a concurrency', () => {
  it('never leaves its bounds, whatever is seen', () => {
    fc.assert(
      fc.property(bounds, fc.array(seen, { maxLength: 80 }), (within, samples) => {
        let search = firstSearch(within);
        for (const one of samples) {
          const level = levelOf(search, within);
          expect(Number.isInteger(level)).toBe(true);
          expect(level).toBeGreaterThanOrEqual(within.min);
          expect(level).toBeLessThanOrEqual(within.max);
          search = nextSearch(search, { level, ...one }, within);
          expect(search.limit).toBeGreaterThanOrEqual(within.min);
          expect(search.limit).toBeLessThanOrEqual(within.max);
        }
      }),
    );
  });

  it('goes down while runs take too long, to the least, and never up', () => {
    fc.assert(
      fc.property(bounds, fc.array(seen, { maxLength: 40 }), (within, samples) => {
        let search = firstSearch(within);
        for (const one of samples) {
          search = nextSearch(search, { level: levelOf(search, within), ...one }, within);
        }
        const latencyMs = within.latencyMs * 1.2;
        let highest = Number.POSITIVE_INFINITY;
        for (let n = 0; n < 200; n += 1) {
          const level = levelOf(search, within);
          const next = nextSearch(search, { level, perSecond: 1, latencyMs }, within);
          expect(next.limit).toBeLessThanOrEqual(search.limit);
          if (n % 4 === 3) highest = search.limit;
          search = next;
        }
        expect(highest).toBe(within.min);
      }),
    );
  });

  it('takes one sample that is a little over for chance, and halves at once where it is far over', () => {
    const within = { min: 1, max: 100, latencyMs: 100 };
    const search = { ...firstSearch(within), limit: 40 };
    const sample = { level: 34, perSecond: 1_000, latencyMs: 120 };
    const once = nextSearch(search, sample, within);
    expect([once.limit, levelOf(once, within)]).toEqual([40, 34]);
    expect(nextSearch(once, sample, within).limit).toBeCloseTo(34 * 0.75);
    // In between all was well.
    const well = nextSearch(once, { ...sample, latencyMs: 90 }, within);
    expect(nextSearch(well, sample, within).limit).toBe(40);
    expect(nextSearch(search, { ...sample, latencyMs: 900 }, within).limit).toBe(17);
  });

  it('goes up while more at once is worth it, and down where it is not', () => {
    const within = { min: 1, max: 100, latencyMs: 100 };
    const search = { ...firstSearch(within), limit: 40 };
    const [level, latencyMs] = [34, 10];
    const low = nextSearch(search, { level, perSecond: 340, latencyMs }, within);
    expect(levelOf(low, within)).toBe(46);
    const after = (perSecond: number) =>
      nextSearch(low, { level: 46, perSecond, latencyMs }, within).limit;
    expect(after(460)).toBeGreaterThan(60);
    expect(after(341)).toBeLessThan(35);
    expect(after(0)).toBeLessThan(40);
  });
});
