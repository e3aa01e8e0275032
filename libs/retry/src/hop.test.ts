import { ConfigInvalidError, MAX_DELAY_MS } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextHop, planHop } from './hop.ts';

/** The tiers of an installation: 250 ms to 24 h. */
const tiersMs = [
  250, 500, 1e3, 2e3, 5e3, 10e3, 20e3, 30e3, 60e3, 120e3, 300e3, 600e3, 1_200e3, 1_800e3, 3_600e3,
  7_200e3, 14_400e3, 28_800e3, 86_400e3,
];

interface Wait {
  readonly delayMs: number;
  readonly exact: boolean;
  readonly nowMs: number;
  readonly tiersMs: readonly number[];
}

/** The tiers that a delay travels when each is late by what `lateMs` says. */
function travel(wait: Wait, lateMs = () => 0): { hops: number[]; waitedMs: number } {
  const { tierMs, notBeforeMs } = planHop(wait);
  const hops = [tierMs];
  let waitedMs = tierMs + lateMs();
  while (notBeforeMs !== undefined) {
    const next = nextHop({ notBeforeMs, nowMs: wait.nowMs + waitedMs, tiersMs: wait.tiersMs });
    if (!next) break;
    hops.push(next.tierMs);
    waitedMs += next.tierMs + lateMs();
  }
  return { hops, waitedMs };
}

const delayMs = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.integer({ min: 0, max: MAX_DELAY_MS }),
);
const wait = fc.record({
  delayMs,
  exact: fc.boolean(),
  nowMs: fc.integer({ min: 0, max: 4e12 }),
  tiersMs: fc.constant(tiersMs),
});

const at = { nowMs: 1_000_000, tiersMs };

describe('planHop', () => {
  it.each([
    ['a tier', 30_000, { tierMs: 30_000 }],
    ['5 % over a tier', 31_500, { tierMs: 30_000 }],
    ['250 ms over a small tier', 1_250, { tierMs: 1_000 }],
    ['shorter than every tier', 3, { tierMs: 250 }],
    ['between tiers', 45_000, { tierMs: 30_000, notBeforeMs: 1_000_000 + 45_000 - 2_250 }],
    ['just too far over a small tier', 1_251, { tierMs: 1_000, notBeforeMs: 1_001_001 }],
  ])('takes a delay that is %s', (_, delay, expected) => {
    expect(planHop({ ...at, delayMs: delay, exact: false })).toEqual(expected);
  });

  it('always notes when an exact delay ends', () => {
    const expected = { tierMs: 30_000, notBeforeMs: 1_030_000 };
    expect(planHop({ ...at, delayMs: 30_000, exact: true })).toEqual(expected);
    expect(planHop({ ...at, delayMs: 3, exact: true })).toEqual({
      tierMs: 250,
      notBeforeMs: 1_000_003,
    });
  });

  it.each([NaN, -5, -Infinity])('takes %d as no delay', (delay) => {
    expect(planHop({ ...at, delayMs: delay, exact: false })).toEqual({ tierMs: 250 });
  });

  it('takes what is longer than 24 h as 24 h', () => {
    const plan = planHop({ ...at, delayMs: Infinity, exact: true });
    expect(plan).toEqual({ tierMs: MAX_DELAY_MS, notBeforeMs: 1_000_000 + MAX_DELAY_MS });
  });

  it('needs a tier', () => {
    expect(() => planHop({ delayMs: 5, exact: false, nowMs: 0, tiersMs: [] })).toThrow(
      ConfigInvalidError,
    );
  });
});

describe('nextHop', () => {
  it('is none once the time has come', () => {
    expect(nextHop({ ...at, notBeforeMs: 1_000_000 })).toBeUndefined();
    expect(nextHop({ ...at, notBeforeMs: 999_999 })).toBeUndefined();
  });

  it('is the greatest tier that fits into the rest, or the smallest', () => {
    expect(nextHop({ ...at, notBeforeMs: 1_015_000 })).toEqual({ tierMs: 10_000 });
    expect(nextHop({ ...at, notBeforeMs: 1_000_001 })).toEqual({ tierMs: 250 });
  });

  it.each([NaN, Infinity, -Infinity, 1e15])('takes a time of %d as due', (notBeforeMs) => {
    expect(nextHop({ ...at, notBeforeMs })).toBeUndefined();
  });

  it('allows for an hour between clocks at the end of the longest delay', () => {
    const farthestMs = 1_000_000 + MAX_DELAY_MS + 3_600_000;
    expect(nextHop({ ...at, notBeforeMs: farthestMs })).toEqual({ tierMs: MAX_DELAY_MS });
    expect(nextHop({ ...at, notBeforeMs: farthestMs + 1 })).toBeUndefined();
  });
});

describe('a travelled delay', () => {
  it('goes from long tiers to short ones', () => {
    const hops = travel({ ...at, delayMs: 3_888_000, exact: true }).hops;
    expect(hops).toEqual([3_600e3, 120e3, 120e3, 30e3, 10e3, 5e3, 2e3, 1e3]);
  });

  it('is never early where exact, else by no more than the tolerance', () => {
    fc.assert(
      fc.property(wait, fc.infiniteStream(fc.nat(400)), (drawn, late) => {
        const { waitedMs } = travel(drawn, () => late.next().value);
        const tolerance = drawn.exact ? 0 : Math.max(250, drawn.delayMs * 0.05);
        expect(waitedMs).toBeGreaterThanOrEqual(drawn.delayMs - tolerance);
      }),
    );
  });

  it('is late by no more than the smallest tier when tiers are punctual', () => {
    fc.assert(
      fc.property(wait, (drawn) => {
        expect(travel(drawn).waitedMs).toBeLessThanOrEqual(drawn.delayMs + 250);
      }),
    );
  });

  it('takes at most 18 hops, also with late tiers', () => {
    expect(travel({ ...at, delayMs: 85_728_784, exact: true }).hops).toHaveLength(18);
    fc.assert(
      fc.property(wait, fc.infiniteStream(fc.nat(400)), (drawn, late) => {
        expect(travel(drawn).hops.length).toBeLessThanOrEqual(18);
        expect(travel(drawn, () => late.next().value).hops.length).toBeLessThanOrEqual(18);
      }),
    );
  });

  it('needs one hop for a delay that is a tier', () => {
    for (const tierMs of tiersMs) {
      for (const exact of [true, false]) {
        expect(travel({ ...at, delayMs: tierMs, exact }).hops).toEqual([tierMs]);
      }
    }
  });

  it('ends with any tiers', () => {
    const someTiers = fc
      .uniqueArray(fc.integer({ min: 1_000, max: MAX_DELAY_MS }), { minLength: 1, maxLength: 8 })
      .map((tiers) => tiers.sort((a, b) => a - b));
    fc.assert(
      fc.property(wait, someTiers, (drawn, tiers) => {
        const { hops } = travel({ ...drawn, delayMs: drawn.delayMs % 600_000, tiersMs: tiers });
        expect(hops.length).toBeLessThanOrEqual(601);
      }),
    );
  });
});
