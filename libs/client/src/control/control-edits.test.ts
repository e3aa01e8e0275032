import type { ControlSnapshot } from '@warren/contracts';
import { expect, it } from 'vitest';
import { counting, holding, limiting, pausing } from './control-edits.ts';

const now: ControlSnapshot = {
  pausedQueues: ['b'],
  breakers: { smtp: 'open' },
  concurrency: { b: { concurrency: 2 } },
  limits: { crm: { rate: 1, per: '1m' } },
  atMs: 5,
};

it.each([
  [pausing('a', true), { pausedQueues: ['a', 'b'] }],
  [pausing('b', false), { pausedQueues: [] }],
  [counting('a', { prefetch: 9 }), { concurrency: { b: { concurrency: 2 }, a: { prefetch: 9 } } }],
  [counting('b', { concurrency: 3 }), { concurrency: { b: { concurrency: 3 } } }],
  [counting('b', undefined), { concurrency: {} }],
  [holding('crm', 'closed'), { breakers: { smtp: 'open', crm: 'closed' } }],
  [holding('smtp', undefined), { breakers: {} }],
  [limiting('crm', { rate: 2, per: '1m' }), { limits: { crm: { rate: 2, per: '1m' } } }],
  [limiting('crm', undefined), { limits: {} }],
])('%# changes what it says and keeps the rest', (edit, changed) => {
  expect(edit(now)).toEqual({ ...now, ...changed });
});

it.each([
  pausing('b', true),
  pausing('a', false),
  counting('b', { concurrency: 2 }),
  counting('a', undefined),
  holding('smtp', 'open'),
  holding('constructor', undefined),
  limiting('crm', { rate: 1, per: '1m' }),
  limiting('api', undefined),
])('%# is so already', (edit) => {
  expect(edit(now)).toBeUndefined();
});

it('what makes no sense, or is one too many, is refused by name', () => {
  expect(() => counting('a', { concurrency: 0 })).toThrow(/^concurrency: /);
  expect(() => limiting('a', { rate: 0, per: '1m' })).toThrow(/^rate: /);
  expect(() => holding('No Name', 'open')).toThrow(/^breaker: /);
  const names = Array.from({ length: 1_000 }, (_, n) => [`b${n}`, 'open'] as const);
  const full = { ...now, breakers: Object.fromEntries(names) };
  expect(() => holding('one-more', 'open')(full)).toThrow(/^one-more: 1000 others/);
  expect(holding('b7', undefined)(full)).toBeDefined();
});
