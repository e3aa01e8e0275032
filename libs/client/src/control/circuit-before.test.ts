import { expect, it } from 'vitest';
import { circuitBefore, circuitBeforeText } from './circuit-before.ts';

const worker = (state: 'open' | 'half_open' | 'closed') => ({ worker: 'w', state, sinceMs: 0 });
const smtp = {
  breaker: 'smtp',
  queues: ['email.send'],
  state: 'open',
  sinceMs: 0,
  trialAtMs: 9_000,
  workers: [worker('open')],
} as const;

it.each([
  ['one that is open', [smtp], { isForAll: true }],
  ['one that is tried', [{ ...smtp, state: 'half_open' as const }], { isForAll: true }],
  [
    'one that is closed elsewhere',
    [{ ...smtp, workers: [worker('open'), worker('closed')] }],
    { isForAll: false },
  ],
  ['one that is closed', [{ ...smtp, state: 'closed' as const }], undefined],
  ['one of another queue', [{ ...smtp, queues: ['email.other'] }], undefined],
  ['one of a key', [{ ...smtp, key: 'a.example' }], undefined],
  ['none', [], undefined],
] as const)('%s', (_, circuits, expected) => {
  const found = circuitBefore('email.send', [...circuits]);
  expect(found && { isForAll: found.isForAll }).toEqual(expected);
});

it('is the one for which nobody takes jobs, where there are two', () => {
  const elsewhere = { ...smtp, breaker: 'crm', workers: [worker('open'), worker('closed')] };
  expect(circuitBefore('email.send', [elsewhere, smtp])?.circuit.breaker).toBe('smtp');
});

it('is told with since when, and when it is tried again', () => {
  const text = (changes: Partial<Parameters<typeof circuitBeforeText>[1]> = {}) =>
    circuitBeforeText('email.send', { ...smtp, ...changes });
  const since = 'since 1970-01-01T00:00:00.000Z';
  expect(text()).toBe(
    `circuit smtp is open: email.send waits for it (${since}, next trial 1970-01-01T00:00:09.000Z)`,
  );
  expect(text({ state: 'half_open', trialAtMs: undefined })).toBe(
    `circuit smtp is half-open: email.send waits for it (${since})`,
  );
  expect(text({ override: 'open' })).toBe(
    `circuit smtp is held open by an operator: email.send waits for it (${since})`,
  );
});
