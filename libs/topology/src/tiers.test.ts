import { type Duration, durationToMs, MAX_DELAY_MS } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { RETRY_TIERS } from './tiers.ts';

describe('RETRY_TIERS', () => {
  it('says in each name how long it is', () => {
    for (const { name, delayMs } of RETRY_TIERS) {
      expect(durationToMs(name as Duration, name)).toBe(delayMs);
    }
  });

  it('ascends from 250 ms to the longest delay a retry policy may ask for', () => {
    const delays = RETRY_TIERS.map(({ delayMs }) => delayMs);
    expect(delays).toEqual([...new Set(delays)].sort((a, b) => a - b));
    expect(delays).toHaveLength(19);
    expect(delays[0]).toBe(250);
    expect(delays.at(-1)).toBe(MAX_DELAY_MS);
  });
});
