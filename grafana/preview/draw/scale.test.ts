import { describe, expect, it } from 'vitest';
import { axisTop, ticksUpTo, timeTicks } from './scale.ts';

describe('ticks', () => {
  it.each([
    [1, 5, 'percentunit', [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [37, 4, 'short', [0, 10, 20, 30]],
    [1, 1, 'short', [0, 1]],
    [3 * 2 ** 20, 4, 'bytes', [0, 2 ** 20, 2 * 2 ** 20, 3 * 2 ** 20]],
  ])('up to %d, at most %d, in %s', (top, atMost, unit, ticks) => {
    const found = ticksUpTo(top, atMost, unit);
    expect(found).toHaveLength(ticks.length);
    for (const [index, tick] of ticks.entries()) expect(found[index]).toBeCloseTo(tick);
  });
});

describe('the top of the axis', () => {
  it('is a little above the greatest number, whatever else there is', () => {
    expect(axisTop([1, 10, Number.NaN, Number.POSITIVE_INFINITY], undefined)).toBeCloseTo(11);
  });

  it('is there where all is 0, or nothing', () => {
    expect(axisTop([0, 0], undefined)).toBe(1);
    expect(axisTop([], undefined)).toBe(1);
  });

  it('is what the dashboard says', () => {
    expect(axisTop([0.2], 1)).toBe(1);
  });
});

it('writes round times, with seconds where they are needed', () => {
  const from = Date.parse('2030-01-01T10:00:07Z') / 1_000;
  expect(timeTicks({ fromSeconds: from, untilSeconds: from + 60 }, 4)).toEqual([
    { at: from + 8, text: '10:00:15' },
    { at: from + 23, text: '10:00:30' },
    { at: from + 38, text: '10:00:45' },
    { at: from + 53, text: '10:01:00' },
  ]);
  expect(
    timeTicks({ fromSeconds: from, untilSeconds: from + 600 }, 4).map(({ text }) => text),
  ).toEqual(['10:05', '10:10']);
});
