import { expect, it } from 'vitest';
import { boxOf, gridHeight } from './layout.ts';

it('fills a line with two halves, apart and away from the edges by the same gap', () => {
  const left = boxOf({ x: 0, y: 0, w: 12, h: 8 }, 1_600);
  const right = boxOf({ x: 12, y: 0, w: 12, h: 8 }, 1_600);
  expect(left.left).toBe(8);
  expect(right.left - (left.left + left.width)).toBeCloseTo(8);
  expect(right.left + right.width).toBeCloseTo(1_600 - 8);
});

it('gives a row of the grid 30 pixels, and 8 to what is between two', () => {
  const above = boxOf({ x: 0, y: 0, w: 24, h: 1 }, 1_600);
  const below = boxOf({ x: 0, y: 1, w: 24, h: 4 }, 1_600);
  expect(above.height).toBe(30);
  expect(below.height).toBe(4 * 30 + 3 * 8);
  expect(below.top - (above.top + above.height)).toBe(8);
});

it('is as high as the lowest panel reaches', () => {
  expect(
    gridHeight([
      { x: 0, y: 0, w: 12, h: 8 },
      { x: 12, y: 0, w: 12, h: 4 },
    ]),
  ).toBe(8 + 8 * 38);
  expect(gridHeight([])).toBe(8);
});
