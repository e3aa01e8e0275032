import type { HistoryEvent } from '@warren/history';
import { describe, expect, it } from 'vitest';
import { foldEvents } from './fold-events.ts';

const job = { id: 'a', type: 't', queue: 'q', generation: 0, attempt: 1 };
const started = { ...job, kind: 'started', run: 'r1', atMs: 20, worker: 'w' } as const;
const dead = { ...job, kind: 'dead', run: 'r1', atMs: 30, reason: 'schema' } as const;
const replayed = { ...job, kind: 'replayed', generation: 1, run: '', atMs: 25 } as const;
const progress = { ...job, kind: 'progress', run: 'r1', atMs: 22, fraction: 0.5 } as const;

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
    const { logs, attempts } = foldEvents(lines);
    expect([logs.length, logs[0]?.seq, attempts[0]?.log_lines]).toEqual([1_000, 29_001, 30_000]);
  });
});
