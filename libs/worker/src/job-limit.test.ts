import { defineJob, type Job } from '@warren/contracts';
import { Limits } from '@warren/limiter';
import { quietTelemetry } from '@warren/testing';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type HandleOptions, handle } from './handle.ts';
import { keyIn, keyOfSource } from './job-keys.ts';
import { jobLimitOf } from './job-limit.ts';

const schema = z.object({ tenant: z.string() });
const rate = { rate: 60, per: '1m', scope: 'process' } as const;
const free = defineJob({ type: 'crm.free', schema });
const limited = defineJob({ type: 'crm.call', schema, limit: { ...rate, by: 'tenant' } });
const job = (payload: unknown, headers = {}) => ({ id: 'j', payload, headers }) as unknown as Job;

let limits: Limits;
beforeEach(() => {
  limits = new Limits(quietTelemetry());
});

it('is none where nobody says one; else the definition’s, or the handler’s over it', () => {
  expect(
    jobLimitOf(
      handle(free, () => {}),
      limits,
    ),
  ).toBeUndefined();
  const known = jobLimitOf(
    handle(limited, () => {}),
    limits,
  );
  expect(known?.limit.name).toBe('crm.call');
  expect(known?.keyOf?.(job({ tenant: 'a' }))).toBe('a');
  const options: HandleOptions<{ tenant: string }> = {
    limit: { rate: 1, name: 'crm', key: ({ payload }) => payload.tenant.slice(0, 1) },
  };
  const own = jobLimitOf(
    handle(limited, () => {}, options),
    limits,
  );
  expect([own?.limit.name, own?.limit.ruleOf('x').intervalMs]).toEqual(['crm', 60_000]);
  expect(own?.keyOf?.(job({ tenant: 'acme' }))).toBe('a');
  const each = { queues: ['crm.call'], scope: 'process', per: '1m', burst: 1 };
  expect(limits.view()).toEqual([
    { ...each, name: 'crm', by: 'function', rate: 1 },
    { ...each, name: 'crm.call', by: 'tenant', rate: 60 },
  ]);
});

it.each([
  [{ limit: { per: '1m' } }, 'job crm.free: limit.rate'],
  [{ limit: { ...rate, rate: 0 } }, 'job crm.free: limit.rate'],
  [{ limit: { ...rate, max: 1 } }, 'job crm.free: limit.max'],
  [{ limit: { ...rate, key: 'tenant' } }, 'job crm.free: limit.key'],
  [{ limit: { ...rate, limitFor: 7 } }, 'job crm.free: limit.limitFor'],
  [{ limit: { ...rate, setting: 7 } }, 'job crm.free: limit.setting'],
  [{ limit: { ...rate, limitFor: () => undefined } }, 'job crm.free: limit'],
  [{ limit: { ...rate, scope: 'all' } }, 'job crm.free: limit.scope'],
  [{ limit: { ...rate, name: 'A B' } }, 'job crm.free: limit.name'],
  [{ limit: { ...rate, by: 'a..b' } }, 'job crm.free: limit.by'],
  [{ limit: 7 }, 'job crm.free: limit'],
  [{ limit: { ...rate, scope: 'global' } }, 'limit crm.free'],
] as [HandleOptions, string][])('refuses %j, naming %s', (options, setting) => {
  expect(() =>
    jobLimitOf(
      handle(free, () => {}, options),
      limits,
    ),
  ).toThrow(expect.objectContaining({ setting }));
});

it('refuses one name for two that differ', () => {
  jobLimitOf(
    handle(free, () => {}, { limit: { ...rate, name: 'crm' } }),
    limits,
  );
  const other = handle(limited, () => {}, { limit: { name: 'crm', rate: 7 } });
  expect(() => jobLimitOf(other, limits)).toThrow('limit crm: is defined twice');
});

it('reads keys from payloads and headers, and never throws', () => {
  const { logger, lines } = quietTelemetry();
  const key = (source: string, of: Job) => keyIn(keyOfSource(source, 'by'), of, logger);
  expect(key('customer.id', job({ customer: { id: 7 } }))).toBe('7');
  expect(key('customer.id', job({ customer: 'x' }))).toBe('');
  expect(key('constructor', job({}))).toBe('');
  expect(key('header:x-tenant', job({}, { 'x-tenant': 'a' }))).toBe('a');
  expect(lines).toEqual([]);
  expect(key('customer', job({ customer: {} }))).toBe('');
  expect(lines).toMatchObject([{ job_id: 'j' }]);
});
