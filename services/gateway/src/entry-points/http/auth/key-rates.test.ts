import { expect, it } from 'vitest';
import { KeyRates } from './key-rates.ts';

const rule = { intervalMs: 100, burst: 3 };

it('lets a burst through, then one after the other, and says when', () => {
  let nowMs = 5_000;
  const rates = new KeyRates(rule, () => nowMs);
  expect([1, 2, 3].map(() => rates.take('shop'))).toEqual([0, 0, 0]);
  expect(rates.take('shop')).toBeCloseTo(100);
  nowMs += 60;
  // What was refused is not counted.
  expect(rates.take('shop')).toBeCloseTo(40);
  nowMs += 40;
  expect(rates.take('shop')).toBe(0);
  expect(rates.take('shop')).toBeCloseTo(100);
});

it('counts each name by itself', () => {
  const rates = new KeyRates(rule, () => 0);
  for (let request = 0; request < 4; request += 1) rates.take('shop');
  expect(rates.take('shop')).toBeGreaterThan(0);
  expect(rates.take('ops')).toBe(0);
});
