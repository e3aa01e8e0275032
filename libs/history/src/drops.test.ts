import { expect, it } from 'vitest';
import { DropTally } from './drops.ts';
import { eventOf } from './history.fixture.ts';

it('remembers of each queue from when to when events were given up, and of many queues only that', () => {
  const tally = new DropTally();
  tally.add([eventOf('log')]);
  expect(tally.isEmpty).toBe(true);
  for (const atMs of [4, 2, 3]) tally.add([{ ...eventOf('started'), queue: 'a', atMs }]);
  expect(tally.take()).toEqual([{ queue: 'a', fromMs: 2, toMs: 4 }]);
  expect(tally.isEmpty).toBe(true);
  tally.add(
    Array.from({ length: 200 }, (_, at) => ({ ...eventOf('started'), queue: `q${at}`, atMs: at })),
  );
  tally.putBack([{ queue: 'q0', fromMs: 0, toMs: 9 }]);
  const drops = tally.take();
  expect(drops).toHaveLength(101);
  expect(drops[0]).toEqual({ queue: 'q0', fromMs: 0, toMs: 9 });
  expect(drops.at(-1)).toEqual({ queue: '', fromMs: 100, toMs: 199 });
});
