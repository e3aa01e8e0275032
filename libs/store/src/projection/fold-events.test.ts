import type { HistoryEvent } from '@warren/history';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldEvents } from './fold-events.ts';

const job = { id: 'a', type: 't', queue: 'q', generation: 0, attempt: 1 };
const started = { ...job, kind: 'started', run: 'r1', atMs: 20, worker: 'w' } as const;
const dead = { ...job, kind: 'dead', run: 'r1', atMs: 30, reason: 'schema' } as const;
const replayed = { ...job, kind: 'replayed', generation: 1, run: '', atMs: 25 } as const;
const progress = { ...job, kind: 'progress', run: 'r1', atMs: 22, fraction: 0.5 } as const;

/** By services whose clocks differ. */
const ACCEPTED: readonly HistoryEvent[] = [
  { ...job, kind: 'accepted', run: '', atMs: 1, service: 'b', correlationId: 'c' },
  { ...job, kind: 'accepted', run: '', atMs: 99, service: 'a', attempt: 0 },
];

const TOLD: HistoryEvent[] = [
  { ...job, kind: 'queued', run: '', atMs: 18, service: 'z' },
  { ...job, kind: 'queued', run: '', atMs: 19, service: 'y', correlationId: 'd', createdAtMs: 17 },
  started,
  { ...started, run: 'r2', attempt: 2, type: 'a' },
  progress,
  { ...job, kind: 'log', run: 'r1', atMs: 21, seq: 1, level: 'info', message: 'x' },
  { ...job, kind: 'log', run: '', atMs: 21, seq: 2, level: 'info', message: 'x' },
  dead,
  replayed,
];

describe('foldEvents', () => {
  it('makes one row of a job and one of each run, sorted', () => {
    const events: HistoryEvent[] = [
      { ...started, id: 'b' },
      progress,
      started,
      { ...started, run: 'r0' },
    ];
    const { jobs, attempts, logs } = foldEvents(events);
    expect(jobs.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(attempts.map(({ id, run }) => `${id} ${run}`)).toEqual(['a r0', 'a r1', 'b r1']);
    expect(logs).toEqual([]);
    expect(foldEvents([])).toEqual({ jobs: [], attempts: [], logs: [] });
  });

  it('goes by the order of the events, not by when they come or what their clocks say', () => {
    const [row] = foldEvents([replayed, dead, started]).jobs;
    expect(row).toMatchObject({
      state: 'queued',
      generation: 1,
      finished_at_ms: null,
      created_at_ms: 20,
    });
  });

  it('counts an acceptance only until anything else is told', () => {
    const one = { state: 'accepted', service: 'a', correlation_id: 'c', created_at_ms: 1 };
    expect(foldEvents(ACCEPTED).jobs).toMatchObject([{ ...one, updated_at_ms: 99 }]);
    const told = fc.shuffledSubarray(TOLD, { minLength: 1 });
    const mixed = told.chain((events) =>
      // Some come twice.
      fc.tuple(fc.constant(events), fc.shuffledSubarray([...events, ...events, ...ACCEPTED])),
    );
    const property = fc.property(mixed, ([events, some]) => {
      const all = [...some, ...events.filter((event) => !some.includes(event))];
      const inOrder = TOLD.filter((event) => events.includes(event));
      expect(foldEvents(all)).toMatchObject({ ...foldEvents(inOrder), logs: expect.anything() });
      expect(foldEvents([...all, ...ACCEPTED])).toEqual(foldEvents(all));
    });
    fc.assert(property);
  });

  it('takes the same type, whichever message of one id names another', () => {
    const types = (events: readonly HistoryEvent[]) =>
      foldEvents(events).jobs.map(({ type }) => type);
    const other = { ...dead, type: 'a' };
    expect([types([started, other]), types([other, started])]).toEqual([['a'], ['a']]);
  });

  it('takes a job of which only progress is known for running', () => {
    expect(foldEvents([progress]).jobs).toMatchObject([
      { state: 'running', generation: -1, run_id: 'r1', progress_fraction: 0.5 },
    ]);
  });

  it('tells a snooze from a failed attempt', () => {
    const retrying = { ...job, kind: 'retrying', run: 'r1', atMs: 30, dueAtMs: 99 } as const;
    const outcome = (isSpent: boolean) =>
      foldEvents([{ ...retrying, isSpent }]).attempts[0]?.outcome;
    expect([outcome(true), outcome(false)]).toEqual(['failed', 'snoozed']);
  });

  it('keeps the newest lines of a flood, and how many there were', () => {
    const lines = Array.from({ length: 30_000 }, (_, at) => ({
      ...job,
      kind: 'log' as const,
      run: 'r1',
      atMs: 20,
      seq: at + 1,
      level: 'info' as const,
      message: 'x',
    }));
    const { logs, attempts } = foldEvents([...lines, ...lines.slice(-700)]);
    expect([logs.length, logs[0]?.seq, attempts[0]?.log_lines]).toEqual([1_000, 29_001, 30_000]);
  });
});
