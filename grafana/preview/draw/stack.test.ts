import { expect, it } from 'vitest';
import { stacked } from './stack.ts';

const window = { fromSeconds: 0, untilSeconds: 20, stepSeconds: 5 };
const series = (name: string, ...points: [number, number][]) => ({ name, labels: {}, points });

it('puts series on top of each other, also where one has gaps, the highest first', () => {
  const piled = stacked([series('a', [0, 1], [5, 2]), series('b', [5, 3], [10, 4])], window);
  expect(piled.map(({ name, points }) => [name, points])).toEqual([
    [
      'b',
      [
        [5, 5],
        [10, 4],
      ],
    ],
    [
      'a',
      [
        [0, 1],
        [5, 2],
      ],
    ],
  ]);
});
