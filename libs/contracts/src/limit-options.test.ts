import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineJob } from './job-definition.ts';
import { checkLimitRate, resolveLimitRate } from './limit-options.ts';

const define = (limit: unknown, fairBy?: unknown) =>
  defineJob({ type: 'crm.call', schema: z.object({}), ...({ limit, fairBy } as object) });

it('is one start for each part of the time, and a tenth of a second’s worth at once', () => {
  expect(resolveLimitRate({ rate: 60, per: '1m' }, 'limit')).toEqual({
    intervalMs: 1_000,
    burst: 1,
  });
  expect(resolveLimitRate({ rate: 500, per: '1s' }, 'limit')).toEqual({ intervalMs: 2, burst: 50 });
  expect(resolveLimitRate({ rate: 3, per: '1s', burst: 7 }, 'limit').burst).toBe(7);
  const limit = { rate: 60, per: '1m', by: 'tenant', rates: { a: { rate: 1, per: '1s' } } };
  expect(define(limit, 'header:x-tenant')).toMatchObject({ limit, fairBy: 'header:x-tenant' });
});

const ok = { rate: 1, per: '1s' };

it.each([
  [{ per: '1m' }, 'limit.rate'],
  [{ rate: 0, per: '1m' }, 'limit.rate'],
  [{ rate: Number.NaN, per: '1m' }, 'limit.rate'],
  [{ rate: 1.5, per: '1m' }, 'limit.rate'],
  [{ rate: '60', per: '1m' }, 'limit.rate'],
  [{ rate: 60 }, 'limit.per'],
  [{ rate: 60, per: '0s' }, 'limit.per'],
  [{ rate: 60, per: '25d' }, 'limit.per'],
  [{ ...ok, burst: 0 }, 'limit.burst'],
  [{ ...ok, max: 3 }, 'limit.max'],
  [{ ...ok, by: '' }, 'limit.by'],
  [{ ...ok, by: 7 }, 'limit.by'],
  [{ ...ok, rates: {} }, 'limit.rates'],
  [{ ...ok, by: 'a', rates: { free: { rate: 0, per: '1s' } } }, 'limit.rates.free.rate'],
  [{ ...ok, by: 'a', rates: { free: { ...ok, scope: 'process' } } }, 'limit.rates.free.scope'],
  [{ ...ok, scope: 'worker' }, 'limit.scope'],
  [{ ...ok, name: 'My limit' }, 'limit.name'],
  [7, 'limit'],
])('%j is refused, naming %s', (limit, setting) => {
  expect(() => define(limit)).toThrow(
    expect.objectContaining({ setting: `job crm.call: ${setting}` }),
  );
});

it('refuses keys that are none for turns', () => {
  expect(() => define(undefined, 'a..b')).toThrow('job crm.call: fairBy');
});

it('is a rate that an operator may set, and no more', () => {
  expect(checkLimitRate({ rate: 30, per: '1m' })).toEqual({ rate: 30, per: '1m' });
  expect(checkLimitRate({ rate: 30, per: '1m', burst: 5 })).toMatchObject({ burst: 5 });
});

it.each([
  [{ rate: 0, per: '1m' }, /^rate: .*pause the queue/],
  [{ rate: -1, per: '1m' }, /^rate: .*-1/],
  [{ rate: '30', per: '1m' }, /^rate: /],
  [{ per: '1m' }, /^rate: /],
  [{ rate: 30, per: '1 fortnight' }, /^per: .*'1 fortnight'/],
  [{ rate: 30, per: '0s' }, /^per: /],
  [{ rate: 30, per: 60 }, /^per: /],
  [{ rate: 30, per: '1m', burst: 0 }, /^burst: /],
  [{ rate: 30, per: '1m', scope: 'process' }, /^scope: unknown option/],
  [[], /^body: /],
  [null, /^body: /],
] as const)('refuses %j of an operator', (rate, problem) => {
  expect(() => checkLimitRate(rate)).toThrow(problem);
});
