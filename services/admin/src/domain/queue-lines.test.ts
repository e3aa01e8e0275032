import { createNames } from '@warren/topology';
import { expect, it } from 'vitest';
import { queueLines } from './queue-lines.ts';

const names = createNames('ns');
const figures = new Map([
  ['ns.a.b', { ready: 3, consumers: 2 }],
  ['ns.a.b.high', { ready: 4, consumers: 1 }],
  ['ns.a.b.dead', { ready: 5, consumers: 0 }],
  ['ns.a.b.suspect', { ready: 1, consumers: 1 }],
]);
const counts = [
  { queue: 'a.b', state: 'running', count: 7 },
  { queue: 'a.b', state: 'retrying', count: 8 },
  { queue: 'a.b', state: 'scheduled', count: 1 },
  { queue: 'a.b', state: 'queued', count: 99 },
];

const leases = [
  { queue: 'a.b', running: 3, expired: 1 },
  { queue: 'a.b', running: 1, expired: 1 },
];

it('puts together what broker and store say, lanes as one', () => {
  expect(queueLines({ names, queues: ['a.b', 'c.d'], figures, counts, leases })).toEqual([
    {
      queue: 'a.b',
      exists: true,
      ready: 7,
      running: 7,
      retrying: 9,
      suspects: 1,
      dead: 5,
      consumers: 3,
      leased: 2,
      expiredLeases: 2,
    },
    {
      queue: 'c.d',
      exists: false,
      ready: 0,
      running: 0,
      retrying: 0,
      suspects: 0,
      dead: 0,
      consumers: 0,
      leased: 0,
      expiredLeases: 0,
    },
  ]);
});

it('says nothing of what only the store knows without it', () => {
  const [line] = queueLines({ names, queues: ['a.b'], figures });
  expect(line).toMatchObject({
    running: undefined,
    retrying: undefined,
    dead: 5,
    leased: undefined,
    expiredLeases: undefined,
  });
});
