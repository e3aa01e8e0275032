import { expect, it } from 'vitest';
import { mergeCircuits } from './merge-circuits.ts';

it('has what workers tell, what is set, and what is set that nobody tells of', () => {
  const worker = { worker: 'w', state: 'open', sinceMs: 2 } as const;
  const told = [
    { breaker: 'crm', key: 'x', queues: [], state: 'open', sinceMs: 2, workers: [worker] },
    { breaker: 'smtp', queues: ['mail.send'], state: 'closed', sinceMs: 1, workers: [worker] },
  ] as const;
  const breakers = { smtp: 'closed', crm: 'open', api: 'open' } as const;
  expect(mergeCircuits(told, { pausedQueues: [], breakers, atMs: 9 })).toEqual([
    { breaker: 'api', queues: [], state: 'open', override: 'open', sinceMs: 9, workers: [] },
    { breaker: 'crm', queues: [], state: 'open', override: 'open', sinceMs: 9, workers: [] },
    { ...told[0], override: 'open' },
    { ...told[1], override: 'closed' },
  ]);
  expect(mergeCircuits(told, { pausedQueues: [], atMs: 9 })).toEqual(told);
});
