import { defineJob } from '@warren/contracts';
import type { LimitInWorker } from '@warren/history';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { mergeLimits } from './merge-limits.ts';

const schema = z.object({ tenant: z.string() });
const limit = { rate: 60, per: '1m', by: 'tenant', name: 'crm' } as const;
const jobTypes = [
  defineJob({ type: 'crm.sync', schema, limit }),
  defineJob({ type: 'crm.free', schema }),
];
const control = (limits = {}) => ({ pausedQueues: [], limits, atMs: 1 });
const rule = { rate: 60, per: '1m', burst: 1 } as const;
const host = (worker: string, rate: number): LimitInWorker => ({
  worker,
  name: 'host',
  scope: 'process',
  queues: ['web.hook'],
  by: 'function',
  rate,
  per: '1s',
  burst: 5,
  setting: 'HOST_RATE',
});

it('has what is defined, told, set and counted', () => {
  const uses = [{ name: 'old', keys: 3 }];
  const told = [host('a', 50), host('b', 70), host('c', 70)];
  const set = control({ crm: { rate: 5, per: '1h' } });
  const [crm, hosts, old, ...others] = mergeLimits({ told, jobTypes, control: set, uses });
  expect(others).toEqual([]);
  const definition = { rule, source: 'code', workers: 0 };
  expect(crm).toEqual({
    name: 'crm',
    scope: 'global',
    queues: ['crm.sync'],
    by: 'tenant',
    ownRates: false,
    rule: { rate: 5, per: '1h', burst: 1 },
    source: 'operator',
    definitions: [definition],
  });
  const own = { source: 'environment', setting: 'HOST_RATE' };
  const [usual, other] = [70, 50].map((rate) => ({ rate, per: '1s', burst: 5 }));
  expect(hosts).toMatchObject({
    scope: 'process',
    queues: ['web.hook'],
    by: 'function',
    rule: usual,
    source: 'environment',
    definitions: [
      { ...own, rule: usual, workers: 2 },
      { ...own, rule: other, workers: 1 },
    ],
  });
  expect(old).toEqual({
    name: 'old',
    queues: [],
    ownRates: false,
    definitions: [],
    use: uses[0],
  });
});

it('believes workers rather than the code of whoever asks', () => {
  const news = { name: 'crm', scope: 'global', queues: ['crm.old'], rate: 7, per: '1s', burst: 1 };
  const told = [{ ...news, worker: 'w' } as LimitInWorker];
  expect(mergeLimits({ told, jobTypes, control: control(), uses: [] })).toMatchObject([
    {
      queues: ['crm.old', 'crm.sync'],
      rule: { rate: 7, per: '1s', burst: 1 },
      definitions: [{ workers: 1 }],
    },
  ]);
});
