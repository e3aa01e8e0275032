import { expect, it } from 'vitest';
import { formatValue } from './units.ts';

it.each([
  ['short', 0, '0'],
  ['short', 42, '42'],
  ['short', 0.0123456, '0.0123'],
  ['short', 999, '999'],
  ['short', 1_000, '1 K'],
  ['short', 12_345, '12.3 K'],
  ['short', 2_500_000, '2.5 Mil'],
  ['none', 12_345, '12345'],
  ['ops', 7.129, '7.13 ops/s'],
  ['reqps', 7.129, '7.13 req/s'],
  ['ops', 1_500, '1.5K ops/s'],
  ['bytes', 512, '512 B'],
  ['bytes', 1_024, '1 KiB'],
  ['bytes', 134_217_728, '128 MiB'],
  ['bytes', 6_871_947_674, '6.4 GiB'],
  ['percentunit', 0.5, '50%'],
  ['percentunit', 0.98765, '98.8%'],
  ['s', 0, '0 s'],
  ['s', 0.000_25, '250 µs'],
  ['s', 0.0123, '12.3 ms'],
  ['s', 1.5, '1.5 s'],
  ['s', 90, '1.5 mins'],
  ['s', 7_200, '2 hours'],
  ['s', 172_800, '2 days'],
  ['bool_on_off', 0, 'Off'],
  ['bool_on_off', 1, 'On'],
  ['furlong', 3, '3 furlong'],
])('writes in %s the number %d as %j', (unit, value, text) => {
  expect(formatValue(value, unit)).toBe(text);
});

it('writes what is no number or has no end', () => {
  expect(formatValue(Number.NaN, 's')).toBe('NaN');
  expect(formatValue(Number.POSITIVE_INFINITY, 's')).toBe('∞');
  expect(formatValue(Number.NEGATIVE_INFINITY, 'short')).toBe('-∞');
});

it('writes negative numbers in the unit of their size', () => {
  expect(formatValue(-1_536, 'bytes')).toBe('-1.5 KiB');
});
