import type { HistoryEvent } from '@warren/history';
import type { StreamOffset } from '@warren/store';
import { expect, it, vi } from 'vitest';
import { Progress } from './progress.ts';

const EVENT: HistoryEvent = {
  id: 'a',
  type: 'a.b',
  queue: 'a.b',
  atMs: 1,
  generation: 0,
  attempt: 1,
  run: 'r',
  kind: 'started',
  worker: 'w',
};

/** A projection that keeps an offset as the store does. */
function progressFrom(kept: number | undefined) {
  const state = { kept, applied: [] as (StreamOffset | undefined)[] };
  const progress = new Progress(
    {
      async apply(_events, offset) {
        if ((offset?.after ?? undefined) !== state.kept) return false;
        state.applied.push(offset);
        state.kept = offset?.offset;
        return true;
      },
      offset: async () => state.kept,
    },
    'h',
  );
  return { state, progress };
}

it('goes on after what was kept, and keeps each step on top of the one before', async () => {
  const { state, progress } = progressFrom(7);
  expect(await progress.begin()).toBe(8);
  expect(await progress.write({ events: [EVENT], drops: [], offset: 9, isCurrent: true })).toBe(
    true,
  );
  expect(await progress.write({ events: [EVENT], drops: [], offset: 12, isCurrent: true })).toBe(
    true,
  );
  expect(state.applied).toEqual([
    { stream: 'h', offset: 9, after: 7 },
    { stream: 'h', offset: 12, after: 9 },
  ]);
});

it('notices a store that was cleared, with nothing to write and with something', async () => {
  const { state, progress } = progressFrom(undefined);
  expect(await progress.begin()).toBe('first');
  expect(await progress.isUndone()).toBe(false);
  await progress.write({ events: [EVENT], drops: [], offset: 3, isCurrent: true });
  expect(await progress.isUndone()).toBe(false);
  state.kept = undefined;
  expect(await progress.isUndone()).toBe(true);
  expect(await progress.write({ events: [EVENT], drops: [], offset: 4, isCurrent: true })).toBe(
    false,
  );
  expect(state.kept).toBeUndefined();
});

it('keeps the offset of messages without events at once only while it catches up, else once a minute', async () => {
  vi.useFakeTimers();
  const { state, progress } = progressFrom(1);
  await progress.begin();
  await progress.write({ events: [], drops: [], offset: 2, isCurrent: false });
  await progress.write({ events: [], drops: [], offset: 3, isCurrent: true });
  expect(state.kept).toBe(2);
  vi.advanceTimersByTime(60_000);
  await progress.write({ events: [], drops: [], offset: 4, isCurrent: true });
  expect(state.kept).toBe(4);
  vi.useRealTimers();
});
