import { expect, it } from 'vitest';
import { apart } from './heatmap.ts';

it('takes the buckets of a histogram apart, in the order of their edges', () => {
  const bucket = (le: string, count: number) => ({
    name: le,
    labels: { le },
    points: [[0, count] as const],
  });
  expect(apart([bucket('+Inf', 7), bucket('10.0', 6), bucket('0.5', 4)])).toEqual([
    { edge: 0.5, counts: [[0, 4]] },
    { edge: 10, counts: [[0, 2]] },
    { edge: Number.POSITIVE_INFINITY, counts: [[0, 1]] },
  ]);
});
