import { newJobId } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';
import { testStores } from '@warren/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const base = (id: string, run: string, atMs: number) =>
  ({ id, type: 'a.b', queue: 'a.b', generation: 0, attempt: 1, run, atMs }) as const;
const started = (id: string, run = newJobId(), atMs = 5): HistoryEvent => ({
  ...base(id, run, atMs),
  kind: 'started',
  worker: 'w1',
});

testStores({ describe, beforeAll, afterAll }, (bench) => {
  it('applies a step of a stream on top of the one before it, and else nothing', async () => {
    const { projection, jobs } = bench.store;
    const step = (id: string, offset: number, after: number | null) =>
      projection.apply([started(id)], { stream: 'steps', offset, after });
    const [one, two, never] = [newJobId(), newJobId(), newJobId()];
    expect(await step(never, 9, 3)).toBe(false);
    expect(await step(one, 4, null)).toBe(true);
    expect(await step(never, 9, null)).toBe(false);
    expect(await step(never, 9, 3)).toBe(false);
    expect(await projection.offset('steps')).toBe(4);
    // A stream that was made anew begins again.
    expect(await step(two, 2, 4)).toBe(true);
    expect(await projection.offset('steps')).toBe(2);
    expect(await jobs.find(never)).toEqual([]);
    expect([...(await jobs.find(one)), ...(await jobs.find(two))]).toHaveLength(2);

    await projection.clear();
    expect(await step(never, 3, 2)).toBe(false);
    expect(await projection.offset('steps')).toBeUndefined();
    expect(await projection.countRows()).toBe(0);
  });

  it('knows which jobs run, by which worker, and for how long', async () => {
    const { projection } = bench.store;
    await projection.clear();
    const [running, ended, again, waiting] = [1, 2, 3, 4].map(() => newJobId());
    const [first, second] = ['run-1', 'run-2'];
    await projection.apply([
      started(running ?? '', first, 7),
      started(ended ?? '', first),
      { ...base(ended ?? '', first, 9), kind: 'succeeded', durationMs: 4 },
      started(again ?? '', first, 8),
      { ...base(again ?? '', first, 9), kind: 'interrupted', reason: 'gone' },
      started(again ?? '', second, 10),
      { ...base(waiting ?? '', '', 6), attempt: 0, kind: 'queued', service: 'gateway' },
    ]);
    const job = { queue: 'a.b', type: 'a.b', generation: 0, attempt: 1, worker: 'w1' };
    expect(await projection.running({ limit: 10 })).toEqual([
      { ...job, id: running, run: first, startedAtMs: 7 },
      { ...job, id: again, run: second, startedAtMs: 10 },
    ]);
    expect(await projection.running({ limit: 1 })).toHaveLength(1);
    // Four jobs; a run each, and one more.
    expect(await projection.countRows()).toBe(8);
  });
});
