import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MAX_RETRY_AFTER_MS, retryAfterMs } from './retry-after.ts';

const NOW_MS = Date.parse('2026-11-29T12:00:00Z');

it.each<[string | undefined, number | undefined]>([
  ['0', 0],
  [' 120 ', 120_000],
  ['999999', MAX_RETRY_AFTER_MS],
  ['Sun, 29 Nov 2026 12:00:30 GMT', 30_000],
  ['Sunday, 29-Nov-26 12:00:30 GMT', 30_000],
  ['Sun, 29 Nov 2026 11:00:00 GMT', 0],
  ['Tue, 29 Nov 2050 12:00:00 GMT', MAX_RETRY_AFTER_MS],
  [undefined, undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['in 2027', undefined],
])('reads %j as %s', (header, ms) => {
  expect(retryAfterMs(header, NOW_MS)).toBe(ms);
});

it('is within bounds, whatever the header says', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.date().map(String), fc.nat().map(String)), (header) => {
      const ms = retryAfterMs(header, NOW_MS) ?? 0;
      expect(ms >= 0 && ms <= MAX_RETRY_AFTER_MS).toBe(true);
    }),
  );
});
