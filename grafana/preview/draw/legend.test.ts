import { expect, it } from 'vitest';
import { drawLegend, figuresOf } from './legend.ts';

const line = (name: string, ...values: number[]) => ({
  name,
  color: '#fff',
  labels: {},
  points: values.map((value, at) => [at, value] as const),
});
const beside = { displayMode: 'table', placement: 'right', sortBy: 'Max', sortDesc: true } as const;
const panel = { width: 700, height: 110 };

it('says what a series had last, and at most', () => {
  expect(
    figuresOf([[0, 1] as const, [1, 5] as const, [2, 3] as const, [3, Number.NaN] as const]),
  ).toEqual({
    last: 3,
    max: 5,
  });
  expect(figuresOf([[0, Number.NaN]])).toEqual({});
});

it('has the greatest first, and counts what one would have to scroll to', () => {
  const lines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => line(name, index));
  const { width, height, html } = drawLegend(beside, lines, 'short', panel);
  const names = [...html.matchAll(/<\/i>(\w+)/g)].map(([, name]) => name);
  expect(names).toEqual(['f', 'e', 'd', 'c']);
  expect(html).toContain('2 more');
  expect(width).toBeLessThanOrEqual(panel.width * 0.6);
  expect(height).toBe(0);
});

it('is a row of names below, as high as they need', () => {
  const list = { displayMode: 'list', placement: 'bottom' } as const;
  const [one, many] = [1, 40].map((count) =>
    drawLegend(
      list,
      Array.from({ length: count }, () => line('<name>', 1)),
      'short',
      panel,
    ),
  );
  expect(one?.html).toContain('&#60;name&#62;');
  expect(one?.height).toBe(22);
  expect(many?.height).toBe(panel.height * 0.35);
});
