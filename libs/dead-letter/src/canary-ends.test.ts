import type { HistoryEvent } from '@warren/history';
import { expect, it } from 'vitest';
import { CanaryEnds } from './canary-ends.ts';

const base = { type: 'a.b', queue: 'a.b', atMs: 1, attempt: 1, run: 'r' };
const dead = (id: string, generation: number): HistoryEvent =>
  ({ kind: 'dead', ...base, id, generation, reason: 'attempts_exhausted' }) as const;
const succeeded = (id: string, generation: number): HistoryEvent =>
  ({ kind: 'succeeded', ...base, id, generation, durationMs: 1 }) as const;
const jobs = [
  { id: 'a', generation: 1 },
  { id: 'b', generation: 3 },
];

it('knows how each has ended, in the generation that it was replayed as', () => {
  const ends = new CanaryEnds();
  expect(ends.outcomeOf(jobs)).toEqual({ failed: 0, unfinished: 2 });
  for (const event of [dead('a', 0), succeeded('a', 1), dead('c', 1)]) ends.tell(event);
  ends.tell({ kind: 'started', ...base, id: 'b', generation: 3, worker: 'w' });
  expect(ends.outcomeOf(jobs)).toEqual({ failed: 0, unfinished: 1 });
  ends.tell(dead('b', 3));
  expect(ends.outcomeOf(jobs)).toEqual({ failed: 1, unfinished: 0 });
});

it('wakes whoever waits, and at the end of its time', async () => {
  const ends = new CanaryEnds();
  const waiting = ends.news(new AbortController().signal);
  ends.tell(dead('a', 1));
  await waiting;
  await ends.news(AbortSignal.abort());
});
