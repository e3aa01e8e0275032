import type { BreakerView } from '@warren/breaker';
import type { CircuitReport } from '@warren/history';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CircuitTeller } from './circuit-teller.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
afterEach(() => void vi.useRealTimers());

const circuit = (key: string | undefined, state: 'open' | 'closed') => ({
  key,
  state,
  override: undefined,
  sinceMs: 3,
  waitMs: state === 'open' ? 9 : 0,
});

function telling(view: BreakerView[]) {
  const told: CircuitReport[] = [];
  const breakers = { view: () => view };
  const tell = (report: CircuitReport) => void told.push(report);
  return { told, teller: new CircuitTeller({ breakers, worker: 'w', tell }) };
}

it('tells together what changes together, and only that', () => {
  const hosts = {
    name: 'host',
    queues: ['hook.send'],
    circuits: [circuit('a', 'closed'), circuit('b', 'open')],
  };
  const { told, teller } = telling([
    hosts,
    { name: 'smtp', queues: ['mail.send'], circuits: [circuit(undefined, 'open')] },
  ]);
  teller.note({ breaker: 'smtp' });
  teller.note({ breaker: 'host', key: 'a' });
  teller.note({ breaker: 'smtp' });
  teller.note({ breaker: 'host', key: 'forgotten' });
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1_000);
  expect(told).toMatchObject([
    {
      worker: 'w',
      circuits: [
        { breaker: 'host', key: 'a', state: 'closed', sinceMs: 3 },
        { breaker: 'smtp', queues: ['mail.send'], state: 'open', trialAtMs: 1_059 },
      ],
    },
  ]);
  expect(told[0]?.circuits[0]).not.toHaveProperty('queues');
  teller.note({ breaker: 'smtp' });
  teller.close();
  vi.advanceTimersByTime(1_000);
  expect([told.length, teller.all()]).toEqual([1, []]);
});

it('tells no trial of one that an operator holds open', () => {
  const held = { ...circuit(undefined, 'open'), override: 'open' as const };
  const { teller } = telling([{ name: 'smtp', queues: [], circuits: [held] }]);
  expect(teller.all()).toMatchObject([{ breaker: 'smtp', state: 'open', override: 'open' }]);
  expect(teller.all()[0]).not.toHaveProperty('trialAtMs');
});

it('heartbeats have every breaker, and of keys those that are not closed, within bounds', () => {
  const many = Array.from({ length: 300 }, (_, n) => circuit(`k${n}`, n % 2 ? 'open' : 'closed'));
  const { told, teller } = telling([
    { name: 'host', queues: ['hook.send'], circuits: many },
    { name: 'crm', queues: [], circuits: [] },
  ]);
  const all = teller.all();
  expect(all.slice(0, 3)).toMatchObject([
    { breaker: 'host', state: 'closed' },
    { breaker: 'crm', state: 'closed' },
    { breaker: 'host', key: 'k1', state: 'open' },
  ]);
  expect(all).toHaveLength(100);
  for (const { key } of many) teller.note({ breaker: 'host', key });
  vi.advanceTimersByTime(1_000);
  expect(told.map(({ circuits }) => circuits.length)).toEqual([100]);
});
