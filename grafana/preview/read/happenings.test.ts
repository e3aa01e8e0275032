import { expect, it } from 'vitest';
import { happeningsOf } from './happenings.ts';

const window = { fromSeconds: 0, untilSeconds: 60, stepSeconds: 5 };

it('marks when something began to be above 0, once for points that follow each other', async () => {
  const asked: string[] = [];
  const over = async (expr: string) => {
    asked.push(expr);
    return [
      {
        labels: {},
        points: [[10, 0] as const, [15, 1] as const, [20, 2] as const, [40, 1] as const],
      },
    ];
  };
  const found = await happeningsOf(
    [{ expr: 'opened[$__interval] offset $__rate_interval', iconColor: 'red' }],
    { over },
    window,
    { __rate_interval: '20s' },
  );
  expect(asked).toEqual(['opened[5s] offset 20s']);
  expect(found).toEqual([
    { atSeconds: 15, color: 'red' },
    { atSeconds: 40, color: 'red' },
  ]);
});
