import { defineJob, type Job } from '@warren/contracts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type HandleOptions, handle } from './handle.ts';
import { jobKeySlotsOf } from './job-key-slots.ts';

const job = defineJob({ type: 'crm.call', schema: z.object({ tenant: z.string() }) });
const of = (keyConcurrency: unknown) =>
  jobKeySlotsOf(handle(job, () => {}, { keyConcurrency } as HandleOptions));
const ofTenant = (tenant: string) =>
  ({ id: 'j', payload: { tenant }, headers: {} }) as unknown as Job;

it('are told apart by a path, or by any function, which goes before it', () => {
  expect(of(undefined)).toBeUndefined();
  expect(of({ max: 2, by: 'tenant' })?.keyOf(ofTenant('acme'))).toBe('acme');
  const first = ({ payload }: Job) => (payload as { tenant: string }).tenant.slice(0, 1);
  expect(of({ max: 2, by: 'tenant', key: first })?.keyOf(ofTenant('acme'))).toBe('a');
});

it.each([
  [7, ''],
  [{ by: 'tenant' }, '.max'],
  [{ max: 0, by: 'tenant' }, '.max'],
  [{ max: 1.5, by: 'tenant' }, '.max'],
  [{ max: 2 }, ''],
  [{ max: 2, by: 'a..b' }, '.by'],
  [{ max: 2, key: 'tenant' }, '.key'],
  [{ max: 2, by: 'tenant', rate: 1 }, '.rate'],
])('refuses %j, naming it', (wanted, option) => {
  const setting = `job crm.call: keyConcurrency${option}`;
  expect(() => of(wanted)).toThrow(expect.objectContaining({ setting }));
});
