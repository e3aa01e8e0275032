import { expect, it } from 'vitest';
import { colorOfSeries, colorOfValue } from './theme.ts';

it('takes the colour of the last threshold that is reached', () => {
  const steps = [
    { color: 'green', value: null },
    { color: 'red', value: 5 },
  ];
  const colors = [4.9, 5].map((value) => colorOfValue(value, { unit: '', thresholds: { steps } }));
  expect(colors).toEqual(['#73bf69', '#f2495c']);
});

it('takes a series’ own colour before the one of its place', () => {
  const red = {
    matcher: { id: 'byName', options: 'dead' },
    properties: [{ id: 'color', value: { fixedColor: 'red' } }],
  };
  expect(colorOfSeries('dead', 0, [red])).toBe('#f2495c');
  expect(colorOfSeries('other', 0, [red])).toBe('#73bf69');
});
