import { MAX_DELAY_MS } from '@warren/contracts';
import { expect, it } from 'vitest';
import { clampDelayMs } from './clamp-delay.ts';

it.each([
  [5, 5],
  [5.2, 6],
  [0, 0],
  [-1, 0],
  [-Infinity, 0],
  [Infinity, MAX_DELAY_MS],
  [MAX_DELAY_MS + 1, MAX_DELAY_MS],
  [NaN, undefined],
  ['5', undefined],
  [5n, undefined],
  [undefined, undefined],
])('a delay of %s becomes %s', (delay, expected) => {
  expect(clampDelayMs(delay)).toBe(expected);
});
