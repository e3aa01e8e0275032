import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CounterValue, GaugeValue, HistogramValue } from './series.ts';

const valueOfOne = (series: CounterValue | GaugeValue) => series.samples('x', {})[0]?.value;

test('a counter rises by one or more, and never falls', () => {
  const counter = new CounterValue();
  counter.inc();
  counter.inc(2.5);
  for (const odd of [-1, Number.NaN, 0]) counter.inc(odd);
  expect(valueOfOne(counter)).toBe(3.5);
});

test('a gauge goes where it is told', () => {
  const gauge = new GaugeValue();
  gauge.set(5);
  gauge.inc();
  gauge.dec(3);
  expect(valueOfOne(gauge)).toBe(3);
});

test('a histogram counts each value in every bucket whose bound it does not exceed', () => {
  const bounds = [0.1, 1, 10];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(-1, 0, 0.1, 0.5, 1, 1.001, 10, 99)), (values) => {
      const histogram = new HistogramValue(bounds);
      for (const value of values) histogram.observe(value);
      histogram.observe(Number.NaN);
      const upTo = (bound: number) => values.filter((value) => value <= bound).length;
      expect(histogram.samples('x', { queue: 'q' })).toEqual([
        ...bounds.map((le) => ({
          metricName: 'x_bucket',
          labels: { queue: 'q', le },
          value: upTo(le),
        })),
        { metricName: 'x_bucket', labels: { queue: 'q', le: '+Inf' }, value: values.length },
        {
          metricName: 'x_sum',
          labels: { queue: 'q' },
          value: values.reduce<number>((sum, value) => sum + value, 0),
        },
        { metricName: 'x_count', labels: { queue: 'q' }, value: values.length },
      ]);
    }),
  );
});
