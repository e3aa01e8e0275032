import { expect, it } from 'vitest';
import { checkQueues } from './health.ts';

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
