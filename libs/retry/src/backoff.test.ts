import { type Backoff, MAX_DELAY_MS } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoff, random } from './arbitraries.fixture.ts';
import { backoffDelayMs } from './backoff.ts';

const delays = (policy: Backoff, attempts: number, r = 0) =>
  Array.from({ length: attempts }, (_, index) => backoffDelayMs(policy, index + 1, () => r));

const attempt = fc.integer({ min: 1, max: 1_000 });

describe('without jitter a backoff', () => {
  it('stays the same when fixed', () => {
    expect(delays({ kind: 'fixed', delayMs: 700, jitter: 'none' }, 3)).toEqual([700, 700, 700]);
  });

  it('grows by a step, up to its maximum', () => {
    expect(delays({ kind: 'linear', stepMs: 100, maxMs: 250, jitter: 'none' }, 4)).toEqual([
      100, 200, 250, 250,
    ]);
  });

  it('grows by a factor, up to its maximum', () => {
    const policy = { kind: 'exponential', initialMs: 100, factor: 3, maxMs: 2_000 } as const;
    expect(delays({ ...policy, jitter: 'none' }, 5)).toEqual([100, 300, 900, 2_000, 2_000]);
  });

  it('follows its steps and repeats the last', () => {
    expect(delays({ kind: 'steps', delaysMs: [10, 5, 70], jitter: 'none' }, 5)).toEqual([
      10, 5, 70, 70, 70,
    ]);
  });

  it('is zero when it starts at zero, even where the growth overflows', () => {
    const policy = { kind: 'exponential', initialMs: 0, factor: 100, maxMs: 5, jitter: 'none' };
    expect(backoffDelayMs(policy as Backoff, 1_000, () => 0)).toBe(0);
  });

  it('never shrinks from one attempt to the next, but for steps', () => {
    fc.assert(
      fc.property(backoff, attempt, (policy, failed) => {
        fc.pre(policy.kind !== 'steps');
        const plain = { ...policy, jitter: 'none' } as const;
        const before = backoffDelayMs(plain, failed, () => 0);
        expect(backoffDelayMs(plain, failed + 1, () => 0)).toBeGreaterThanOrEqual(before);
      }),
    );
  });
});

describe('jitter', () => {
  const fixed = (jitter: 'equal' | 'full'): Backoff => ({ kind: 'fixed', delayMs: 1_000, jitter });

  it.each([
    ['equal', 0, 500],
    ['equal', 0.5, 750],
    ['equal', 0.9999, 1_000],
    ['full', 0, 1],
    ['full', 0.5, 500],
    ['full', 0.9999, 1_000],
  ] as const)('%s, at random %d, makes 1000 ms %d ms', (jitter, r, expected) => {
    expect(backoffDelayMs(fixed(jitter), 1, () => r)).toBe(expected);
  });

  it('stays within its share of the plain delay', () => {
    fc.assert(
      fc.property(backoff, attempt, random, (policy, failed, r) => {
        const plain = backoffDelayMs({ ...policy, jitter: 'none' }, failed, () => r);
        const spread = backoffDelayMs(policy, failed, () => r);
        const least = { none: plain, equal: Math.floor(plain / 2), full: Math.min(plain, 1) };
        expect(spread).toBeGreaterThanOrEqual(least[policy.jitter]);
        expect(spread).toBeLessThanOrEqual(plain);
      }),
    );
  });
});

it('gives a whole number of milliseconds from 0 to 24 h for every policy and attempt', () => {
  const anyAttempt = fc.oneof(attempt, fc.constantFrom(0, -1, NaN));
  fc.assert(
    fc.property(backoff, anyAttempt, random, (policy, failed, r) => {
      const delayMs = backoffDelayMs(policy, failed, () => r);
      expect(Number.isInteger(delayMs)).toBe(true);
      expect(delayMs).toBeGreaterThanOrEqual(0);
      expect(delayMs).toBeLessThanOrEqual(MAX_DELAY_MS);
    }),
  );
});
