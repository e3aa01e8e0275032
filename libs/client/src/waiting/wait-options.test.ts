import { derivedJobId, newJobId, timeOfJobId } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { checkWait, type WaitOptions } from './wait-options.ts';

const check = (options: unknown, id: unknown = 'id', nowMs = Date.now()) =>
  checkWait(id as string, { timeoutMs: 5, ...(options as object) } as WaitOptions, nowMs);

describe('how far back a wait looks', () => {
  const id = newJobId();
  const bornMs = timeOfJobId(id) ?? 0;

  it('is the birth of the job, five minutes at most, and never in the future', () => {
    expect(check({}, id, bornMs + 7)).toBe(bornMs);
    expect(check({}, id, bornMs + 3_600_000)).toBe(bornMs + 3_300_000);
    expect(check({}, id, bornMs - 7)).toBe(bornMs - 7);
  });

  it('is a minute where the id tells no time', () => {
    expect(check({}, derivedJobId('a.b', 'k'), 100_000)).toBe(40_000);
  });

  it('is what the caller says', () => {
    expect(check({ since: new Date(5) }, id)).toBe(5);
    expect(check({ since: new Date(200_000) }, id, 100_000)).toBe(100_000);
  });
});

it.each([
  ['id', {}, ''],
  ['id', {}, 7],
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: undefined }],
  ['timeoutMs', { timeoutMs: 86_400_001 }],
  ['since', { since: 5 }],
  ['since', { since: new Date('x') }],
  ['queue', { queue: '' }],
  ['type', { type: 'a.b' }],
])('a wrong %s is refused', (setting, options, id = 'id') => {
  expect(() => check(options, id)).toThrowError(expect.objectContaining({ setting }));
});
