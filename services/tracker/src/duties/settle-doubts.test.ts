import type { HistoryEvent } from '@warren/history';
import type { DoubtfulJob } from '@warren/store';
import { metricValue, quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { settleDoubts } from './settle-doubts.ts';

const job = (id: string, queue = 'a.b', done?: DoubtfulJob['done']): DoubtfulJob => ({
  id,
  queue,
  type: queue,
  generation: 0,
  attempt: 1,
  run: 'r',
  done,
});
const dead = (id: string): HistoryEvent => ({
  id,
  queue: 'a.b',
  type: 'a.b',
  generation: 0,
  attempt: 1,
  run: 'r',
  atMs: 1,
  kind: 'dead',
  reason: 'poison',
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world(doubtful: DoubtfulJob[]) {
  const told: HistoryEvent[] = [];
  const state = { isCurrent: true, isAway: false };
  const telemetry = quietTelemetry();
  const findDead = vi.fn(async (_queue: string, jobs: readonly DoubtfulJob[]) => {
    if (state.isAway) throw new Error('away');
    return jobs.filter(({ id }) => id === 'dead').map(({ id }) => dead(id));
  });
  const duty = settleDoubts({
    projection: { doubtful: async () => doubtful },
    findDead,
    isCurrent: () => state.isCurrent,
    record: (event) => void told.push(event),
    ...telemetry,
  });
  const value = (name: string) => metricValue(telemetry.metrics, name);
  return { told, state, findDead, value, run: () => duty.run(new AbortController().signal) };
}

it('tells what claims and dead letters say, and counts the rest', async () => {
  const done = { atMs: 5, result: '{"n":1}' };
  const { told, findDead, value, run } = world([
    job('done', 'a.b', done),
    job('dead'),
    job('x', 'c.d'),
  ]);
  await run();
  expect(told).toMatchObject([
    { kind: 'succeeded', id: 'done', atMs: 5, run: 'r', result: '{"n":1}' },
    { kind: 'dead', id: 'dead' },
  ]);
  expect(findDead.mock.calls.map(([queue, jobs]) => [queue, jobs.length])).toEqual([
    ['a.b', 1],
    ['c.d', 1],
  ]);
  expect(await value('jobs_tracker_uncertain')).toBe(1);
  expect(await value('jobs_tracker_settled_total')).toBe(2);
});

it('looks at the dead letters of a queue now and then only, and not before the store is current', async () => {
  const { state, findDead, run } = world([job('x')]);
  state.isCurrent = false;
  await run();
  expect(findDead).not.toHaveBeenCalled();
  state.isCurrent = true;
  for (let minute = 0; minute < 20; minute += 1) {
    await run();
    vi.advanceTimersByTime(60_000);
  }
  expect(findDead).toHaveBeenCalledTimes(2);
});

it('keeps the doubt where it cannot look', async () => {
  const { state, told, value, run } = world([job('dead')]);
  state.isAway = true;
  await run();
  expect(told).toEqual([]);
  expect(await value('jobs_tracker_uncertain')).toBe(1);
});
