import { describe, expect, test, vi } from 'vitest';
import { CounterValue } from './series.ts';
import { MAX_SERIES_PER_METRIC, SeriesStore } from './series-store.ts';

function create(onOverflow = () => {}) {
  return new SeriesStore('jobs_x_total', ['queue', 'reason'], () => new CounterValue(), onOverflow);
}

describe('SeriesStore', () => {
  test('the same labels in any order are one series, others are another', () => {
    const store = create();
    const series = store.at({ queue: 'a', reason: 'b' });
    expect(store.at({ reason: 'b', queue: 'a' })).toBe(series);
    expect(store.at({ queue: 'ab', reason: '' })).not.toBe(series);
    expect(store.entries()).toHaveLength(2);
  });

  test('keeps a copy of the labels', () => {
    const store = create();
    const labels = { queue: 'a', reason: 'b' };
    store.at(labels);
    labels.queue = 'c';
    expect(store.entries()[0]?.labels).toEqual({ queue: 'a', reason: 'b' });
  });

  test('forgets a deleted series', () => {
    const store = create();
    store.at({ queue: 'a', reason: 'b' }).inc();
    store.delete({ queue: 'a', reason: 'b' });
    expect(store.entries()).toEqual([]);
  });

  test('refuses label names that the metric does not have, or too few', () => {
    const store = create();
    expect(() => store.at({ queue: 'a', reason: 'b', id: 'c' })).toThrow(
      'jobs_x_total has no label id',
    );
    expect(() => store.at({ queue: 'a' })).toThrow('jobs_x_total needs the label reason');
  });

  test('20,000 different values end in one shared series, each counted as overflow', () => {
    const onOverflow = vi.fn();
    const store = create(onOverflow);
    for (let index = 0; index < 20_000; index += 1)
      store.at({ queue: `q${index}`, reason: 'b' }).inc();
    expect(store.entries()).toHaveLength(MAX_SERIES_PER_METRIC + 1);
    expect(onOverflow).toHaveBeenCalledTimes(20_000 - MAX_SERIES_PER_METRIC);
    const shared = store.entries().at(-1);
    expect(shared?.labels).toEqual({ queue: '_other', reason: '_other' });
    expect(shared?.series.samples('x', {})[0]?.value).toBe(20_000 - MAX_SERIES_PER_METRIC);
  });
});
