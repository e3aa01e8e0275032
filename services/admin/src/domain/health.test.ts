import { describe, expect, it } from 'vitest';
import { checkQueues } from './health.ts';
import type { HeldBack } from './held-back.ts';

const line = {
  queue: 'a.b',
  exists: true,
  ready: 0,
  running: 0,
  retrying: 0,
  suspects: 0,
  dead: 0,
  consumers: 1,
  leased: 0,
  expiredLeases: 0,
};
const bounds = { maxDead: 2, maxReady: 100 };
const problems = (change: object, unroutable = 0) =>
  checkQueues([{ ...line, ...change }], unroutable, bounds).flatMap(({ name, problem }) =>
    problem === undefined ? [] : [name],
  );

it.each([
  [{}, []],
  [{ dead: 2, ready: 100 }, []],
  [{ dead: 3 }, ['dead letters']],
  [{ ready: 101 }, ['backlog']],
  [{ ready: 1, consumers: 0 }, ['consumers']],
  [{ consumers: 0 }, []],
  [{ expiredLeases: 1 }, []],
  [{ expiredLeases: 1, consumers: 0 }, ['consumers']],
  [{ exists: false, consumers: 0 }, ['queues']],
])('%j: %j', (change, expected) => {
  expect(problems(change)).toEqual(expected);
});

it('counts messages without a queue as trouble', () => {
  expect(problems({}, 1)).toEqual(['unroutable']);
});

describe('jobs that workers hold back on purpose', () => {
  const worker = { worker: 'w', state: 'open', sinceMs: 0 } as const;
  const smtp = { ...worker, breaker: 'smtp', queues: ['a.b'], workers: [worker] };
  const check = (change: object, held: Partial<HeldBack>) =>
    checkQueues([{ ...line, ready: 14, consumers: 0, ...change }], 0, bounds, {
      paused: [],
      circuits: [],
      ...held,
    }).filter(({ name }) => name === 'consumers' || name === 'circuits');
  const open = 'circuit smtp is open: a.b waits for it (since 1970-01-01T00:00:00.000Z)';

  it('wait for a circuit, also while one is tried', () => {
    const expected = [{ name: 'consumers' }, { name: 'circuits', problem: open }];
    expect(check({}, { circuits: [smtp] })).toEqual(expected);
    expect(check({ consumers: 1 }, { circuits: [smtp] })).toEqual(expected);
    expect(check({ ready: 0 }, { circuits: [smtp] })).toEqual([
      { name: 'consumers' },
      { name: 'circuits' },
    ]);
  });

  it('wait for an operator, which is no problem', () => {
    expect(check({}, { paused: ['a.b'], circuits: [smtp] })).toEqual([
      { name: 'consumers', detail: 'a.b is paused by an operator' },
      { name: 'circuits' },
    ]);
  });

  it('are not known where workers cannot be heard', () => {
    expect(check({}, { unheard: 'WARREN_HISTORY=0' })[0]).toEqual({
      name: 'consumers',
      problem:
        '14 wait in a.b and nobody takes them (whether a circuit is open is not known: WARREN_HISTORY=0)',
    });
  });
});
