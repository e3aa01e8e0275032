import { describe, expect, it } from 'vitest';
import { sumRates, withFlow } from './queue-flow.ts';

const line = (queue: string, ready: number) => ({
  queue,
  exists: true,
  ready,
  running: undefined,
  retrying: undefined,
  leased: undefined,
  expiredLeases: undefined,
  suspects: 0,
  dead: 0,
  consumers: 1,
});

describe('withFlow', () => {
  it('tells from two looks how what waits changes, and when nothing waits any more', () => {
    const lines = [line('down', 80), line('up', 30), line('same', 5), line('new', 7)];
    const before = {
      lines: [line('down', 100), line('up', 10), line('same', 5), line('gone', 1)],
      elapsedMs: 2_000,
    };
    expect(withFlow(lines, before, undefined)).toMatchObject([
      { queue: 'down', changePerSecond: -10, drainSeconds: 8, inPerSecond: undefined },
      { queue: 'up', changePerSecond: 10, drainSeconds: undefined },
      { queue: 'same', changePerSecond: 0, drainSeconds: undefined },
      { queue: 'new', changePerSecond: undefined, drainSeconds: undefined },
    ]);
  });

  it('says nothing of change after one look, and takes the rates that it is given', () => {
    const rates = new Map([['a', { inPerSecond: 3, outPerSecond: 4 }]]);
    expect(withFlow([line('a', 1), line('b', 1)], undefined, rates)).toMatchObject([
      { inPerSecond: 3, outPerSecond: 4, changePerSecond: undefined },
      { inPerSecond: undefined, outPerSecond: undefined },
    ]);
  });
});

it('sums the lanes of a job type, as far as they are told of', () => {
  const one = { inPerSecond: 1, outPerSecond: 2 };
  expect(sumRates([one, undefined, one])).toEqual({ inPerSecond: 2, outPerSecond: 4 });
  expect(sumRates([undefined])).toBeUndefined();
});
