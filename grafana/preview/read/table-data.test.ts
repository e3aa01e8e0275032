import { expect, it } from 'vitest';
import type { PanelFile } from './dashboard-file.ts';
import { tableOf } from './table-data.ts';

const panel = (names: readonly string[]): PanelFile => ({
  type: 'table',
  title: '',
  description: '',
  gridPos: { x: 0, y: 0, w: 12, h: 8 },
  fieldConfig: { defaults: { unit: 'short', thresholds: { steps: [] } }, overrides: [] },
  targets: names.map((name, index) => ({
    refId: 'AB'.charAt(index),
    expr: '',
    legendFormat: name,
    instant: true,
  })),
  options: { sortBy: [{ displayName: names[0] ?? '', desc: true }] },
  transformations: [
    { id: 'merge', options: {} },
    {
      id: 'organize',
      options: {
        excludeByName: { Time: true },
        renameByName:
          names.length === 1
            ? { Value: names[0] ?? '' }
            : { 'Value #A': names[0] ?? '', 'Value #B': names[1] ?? '' },
      },
    },
  ],
});
const one = (queue: string, value: number) => ({
  labels: { queue },
  points: [[1, value] as const],
});

it('has a row for each series, the greatest first', () => {
  expect(tableOf(panel(['share']), [[one('a', 1), one('b', 3), one('c', 2)]])).toEqual({
    columns: ['queue', 'share'],
    rows: [
      ['b', 3],
      ['c', 2],
      ['a', 1],
    ],
  });
});

it('joins what several queries say of the same labels', () => {
  expect(tableOf(panel(['ready', 'dead']), [[one('a', 1)], [one('a', 5), one('b', 6)]])).toEqual({
    columns: ['queue', 'ready', 'dead'],
    rows: [
      ['a', 1, 5],
      ['b', undefined, 6],
    ],
  });
});

it('has its columns in the order that the file says', () => {
  const retries = panel(['retries']);
  const [merge, organize] = retries.transformations ?? [];
  const ordered = {
    ...retries,
    transformations: [
      merge ?? { id: 'merge', options: {} },
      {
        id: 'organize',
        options: { ...organize?.options, indexByName: { job_type: 0, error: 1, Value: 2 } },
      },
    ],
  };
  const series = [{ labels: { error: 'timeout', job_type: 'a' }, points: [[1, 4] as const] }];
  expect(tableOf(ordered, [series])).toEqual({
    columns: ['job_type', 'error', 'retries'],
    rows: [['a', 'timeout', 4]],
  });
});
