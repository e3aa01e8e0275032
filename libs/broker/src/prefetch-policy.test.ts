import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveriesBeforeGrowth, nextPrefetch, type PrefetchRange } from './prefetch-policy.ts';

const range = fc
  .tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 0, max: 2_000 }))
  .map(([min, more]): PrefetchRange => ({ min, max: min + more }));
const within = range.chain((bounds) =>
  fc.tuple(fc.constant(bounds), fc.integer({ min: bounds.min, max: bounds.max })),
);
const rate = fc.oneof(fc.nat(1_000), fc.nat(1_000_000), fc.double({ min: 0, max: 1, noNaN: true }));

describe('nextPrefetch', () => {
  it('stays within the range', () => {
    fc.assert(
      fc.property(within, rate, ([bounds, current], perSecond) => {
        const next = nextPrefetch(current, perSecond, bounds);
        expect(Number.isInteger(next)).toBe(true);
        expect(next).toBeGreaterThanOrEqual(bounds.min);
        expect(next).toBeLessThanOrEqual(bounds.max);
      }),
    );
  });

  it('settles at once at a steady rate', () => {
    fc.assert(
      fc.property(within, rate, ([bounds, current], perSecond) => {
        const next = nextPrefetch(current, perSecond, bounds);
        expect(nextPrefetch(next, perSecond, bounds)).toBe(next);
      }),
    );
  });

  it('does not swing with a rate that varies by a third', () => {
    const varied = fc.array(fc.double({ min: 0.75, max: 1.33, noNaN: true }), { minLength: 20 });
    fc.assert(
      fc.property(within, rate, varied, ([bounds, start], perSecond, factors) => {
        let current = nextPrefetch(start, perSecond, bounds);
        const changes: number[] = [];
        for (const factor of factors) {
          const next = nextPrefetch(current, perSecond * factor, bounds);
          if (next !== current) changes.push(Math.sign(next - current));
          current = next;
        }
        // It may reach a bound, but it does not come back from there.
        const turns = changes.filter((sign, at) => at > 0 && sign !== changes[at - 1]);
        expect(turns).toEqual([]);
      }),
    );
  });

  it('covers 100 ms of work for fast handlers and keeps little for slow ones', () => {
    const bounds = { min: 10, max: 100 };
    expect(nextPrefetch(10, 500, bounds)).toBe(50);
    expect(nextPrefetch(10, 100_000, bounds)).toBe(100);
    expect(nextPrefetch(100, 1, bounds)).toBe(10);
    expect(nextPrefetch(50, 0, bounds)).toBe(10);
  });

  it('grows as far as it helps however long the way to the broker is', () => {
    const way = fc.double({ min: 0.001, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(within, way, ([bounds], roundTripSeconds) => {
        let current = bounds.min;
        // An instant handler: what is out comes back once in a round trip.
        for (let step = 0; step < 20; step += 1)
          current = nextPrefetch(current, current / roundTripSeconds, bounds, roundTripSeconds);
        expect(current * 2).toBeGreaterThanOrEqual(bounds.max);
      }),
    );
    expect(nextPrefetch(10, 10 / 0.06, { min: 10, max: 100 }, 0.06)).toBe(80);
  });

  it('leaves a change of less than a factor of two alone, but for the last step down to the least', () => {
    const bounds = { min: 10, max: 100 };
    expect(nextPrefetch(30, 590, bounds)).toBe(30);
    expect(nextPrefetch(30, 600, bounds)).toBe(60);
    expect(nextPrefetch(30, 160, bounds)).toBe(30);
    expect(nextPrefetch(30, 150, bounds)).toBe(15);
    expect(nextPrefetch(15, 50, bounds)).toBe(10);
  });

  it('never changes a fixed prefetch', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65_535 }), rate, (fixed, perSecond) => {
        expect(nextPrefetch(fixed, perSecond, { min: fixed, max: fixed })).toBe(fixed);
      }),
    );
  });
});

describe('deliveriesBeforeGrowth', () => {
  it('is more than can be out, so that some were settled, and none where it cannot grow', () => {
    fc.assert(
      fc.property(within, ([bounds, current]) => {
        const deliveries = deliveriesBeforeGrowth(current, bounds);
        if (current === bounds.max) expect(deliveries).toBe(Number.POSITIVE_INFINITY);
        else expect(deliveries).toBeGreaterThan(2 * current);
      }),
    );
  });
});
