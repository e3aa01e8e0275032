import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Duration, durationToMs } from './duration.ts';
import { ConfigInvalidError } from './errors.ts';

describe('durationToMs', () => {
  it.each<[Duration, number]>([
    ['250ms', 250],
    ['30s', 30_000],
    ['5m', 300_000],
    ['8h', 28_800_000],
    ['1d', 86_400_000],
    ['1.5s', 1_500],
    ['0s', 0],
    ['0.4ms', 0],
    ['0.6ms', 1],
  ])('%s is %d ms', (duration, ms) => {
    expect(durationToMs(duration, 'x')).toBe(ms);
  });

  it.each([
    '',
    '5',
    '5 s',
    '-5s',
    '5S',
    '1e3s',
    '.5s',
    '5.s',
    's',
    '5s\n',
    'NaNs',
    5,
    null,
    undefined,
    {},
  ])('refuses %j', (value) => {
    const refuse = () => durationToMs(value as Duration, 'retry.max');
    expect(refuse).toThrow(ConfigInvalidError);
    expect(refuse).toThrow(/^retry\.max: expected a duration/);
  });

  it('refuses what numbers cannot hold', () => {
    for (const digits of ['9'.repeat(14), '9'.repeat(400)]) {
      expect(() => durationToMs(`${digits}d` as Duration, 'x')).toThrow(/too long/);
    }
  });

  it('multiplies whole numbers exactly', () => {
    const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
    const unit = fc.constantFrom('ms', 's', 'm', 'h', 'd' as const);
    fc.assert(
      fc.property(fc.nat(10_000), unit, (count, name) => {
        expect(durationToMs(`${count}${name}`, 'x')).toBe(count * units[name]);
      }),
    );
  });
});
