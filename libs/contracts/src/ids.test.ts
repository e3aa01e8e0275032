import fc from 'fast-check';
import { version } from 'uuid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { derivedJobId, newJobId, timeOfJobId } from './ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[57][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('newJobId', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_800_000_000_123 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells when it was made', () => {
    expect(timeOfJobId(newJobId())).toBe(1_800_000_000_123);
  });

  it('is new each time and sorts by time', () => {
    const ids = Array.from({ length: 1_000 }, () => {
      vi.advanceTimersByTime(1);
      return newJobId();
    });
    expect(new Set(ids).size).toBe(1_000);
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  it('is new each time within one millisecond, and random in every digit that has no meaning', () => {
    const ids = Array.from({ length: 2_000 }, newJobId);
    expect(new Set(ids).size).toBe(2_000);
    expect(new Set(ids.map(version))).toEqual(new Set([7]));
    const random = ids.map((id) => id.slice(15).replaceAll('-', ''));
    const valuesAt = Array.from({ length: 19 }, (_, at) => new Set(random.map((one) => one[at])));
    expect(valuesAt.map(({ size }) => size)).toEqual(valuesAt.map((_, at) => (at === 3 ? 4 : 16)));
  });
});

describe('derivedJobId', () => {
  it('never changes from one release to the next', () => {
    expect(derivedJobId('email.send', 'order-1')).toBe('752af07d-4690-528b-b6e4-9fdf0051c595');
  });

  it('is the same for the same key and differs for another key or type', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const id = derivedJobId('a.b', one);
        expect(id).toMatch(UUID);
        expect(derivedJobId('a.b', one)).toBe(id);
        expect(derivedJobId('a.b', other) === id).toBe(one === other);
        expect(derivedJobId('a.c', one)).not.toBe(id);
      }),
    );
  });

  it('takes keys that have no UTF-8 form', () => {
    const keys = ['\ud800', '\udc00', '\ufffd', 'd800', '\ud800\udc00'];
    expect(new Set(keys.map((key) => derivedJobId('a.b', key))).size).toBe(keys.length);
  });
});

describe('timeOfJobId', () => {
  it.each([
    derivedJobId('a.b', 'x'),
    '',
    'x',
    '00000000-0000-0000-0000-000000000000',
    '0190163d-8694-7zzz-8000-000000000000',
    '0190163d869470008000000000000000',
    ' 0190163d-8694-7000-8000-00000000000',
  ])('knows none for %j', (id) => {
    expect(timeOfJobId(id)).toBeUndefined();
  });

  it('reads an id of another program', () => {
    expect(timeOfJobId('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')).toBe(1_645_557_742_000);
  });
});
