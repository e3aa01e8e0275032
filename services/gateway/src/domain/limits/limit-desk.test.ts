import type { ControlEdit } from '@warren/client';
import type { ControlSnapshot } from '@warren/contracts';
import type { LimitInWorker } from '@warren/history';
import { expect, it, vi } from 'vitest';
import { createLimitDesk } from './limit-desk.ts';

const hosts: LimitInWorker = {
  worker: 'w',
  name: 'host',
  scope: 'process',
  queues: ['web.hook'],
  by: 'function',
  rate: 50,
  per: '1s',
  burst: 5,
  setting: 'HOST_RATE',
};
const jobTypes = [{ type: 'crm.sync', limit: { rate: 60, per: '1m', name: 'crm' } }] as const;

function made({ uses = async () => [{ name: 'crm', keys: 1, busiest: [] }] } = {}) {
  let now: ControlSnapshot = { pausedQueues: [], limits: {}, atMs: 1 };
  const writeDown = vi.fn(async () => {});
  const control = {
    current: async () => now,
    async change(edit: ControlEdit, before?: () => Promise<void>) {
      const edited = edit(now);
      if (!edited) return;
      await before?.();
      now = edited;
    },
  };
  const watch = { limits: async () => [hosts] };
  const store = { uses };
  return { desk: createLimitDesk({ control, watch, store, jobTypes, writeDown }), writeDown };
}

it('sets a limit that is known, be it by its code or by a worker, and takes that back', async () => {
  const { desk, writeDown } = made();
  await desk.set('crm', { rate: 5, per: '1s' }, 'ada');
  await desk.set('host', { rate: 7, per: '1s' }, 'ada');
  expect(await desk.limits()).toMatchObject([
    { name: 'crm', rule: { rate: 5 }, source: 'operator', use: { keys: 1 } },
    { name: 'host', rule: { rate: 7 }, source: 'operator' },
  ]);
  await desk.set('host', undefined, 'ada');
  expect(await desk.limits()).toMatchObject([{}, { rule: { rate: 50 }, source: 'environment' }]);
  expect(writeDown.mock.calls).toEqual([
    ['ada', 'limit.set', { limit: 'crm', rate: 5, per: '1s' }],
    ['ada', 'limit.set', { limit: 'host', rate: 7, per: '1s' }],
    ['ada', 'limit.set', { limit: 'host', reset: true }],
  ]);
});

it('refuses one that nobody knows, and rates that are none, and writes nothing down', async () => {
  const { desk, writeDown } = made();
  const code = 'LIMIT_MISSING';
  for (const name of ['crn', 'constructor', '']) {
    await expect(desk.set(name, undefined, 'ada')).rejects.toMatchObject({ code, limit: name });
  }
  const none = desk.set('crm', { rate: 0, per: '1s' }, 'ada');
  await expect(none).rejects.toMatchObject({ setting: 'rate' });
  expect(writeDown).not.toHaveBeenCalled();
});

it('shows limits also while the store is away', async () => {
  const { desk } = made({ uses: () => Promise.reject(new Error('away')) });
  const [crm] = await desk.limits();
  expect(crm).toMatchObject({ name: 'crm', source: 'code' });
  expect(crm).not.toHaveProperty('use');
});
