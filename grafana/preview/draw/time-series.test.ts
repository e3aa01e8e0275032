import { expect, it } from 'vitest';
import { runsOf } from './time-series.ts';

it('breaks a line where steps are missing or a value is no number', () => {
  const points: [number, number][] = [
    [0, 1],
    [5, 2],
    [10, Number.NaN],
    [15, 3],
    [30, 4],
  ];
  expect(runsOf(points, 5)).toEqual([
    [
      [0, 1],
      [5, 2],
    ],
    [[15, 3]],
    [[30, 4]],
  ]);
});
