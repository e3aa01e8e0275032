import { newJobId } from '@warren/contracts';
import { eventually } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import { base, inState, lifeOf, passes, reaches, setUp, stateOf } from './support/tracked.ts';

describe.concurrent('the tracker', () => {
  it('tells of runs that nobody does any more, and forgets what ended long ago', async (context) => {
    const { bench, history, track, tell } = await setUp(context);
    const [old, kept] = [newJobId(), newJobId()];
    const longAgo = Date.now() - 8 * 86_400_000;
    const aged = (id: string, number: number) =>
      lifeOf(number, id).map((event) => ({ ...event, atMs: longAgo }));
    await bench.store.projection.apply([...aged(old, 1), ...aged(kept, 0)]);
    const [alive, left] = [newJobId(), newJobId()];
    const [aliveRun, leftRun] = [newJobId(), newJobId()];
    await tell([
      { ...base(alive, aliveRun), attempt: 1, kind: 'started', worker: 'w1' },
      { ...base(left, leftRun), attempt: 1, kind: 'started', worker: 'w2' },
    ]);
    const beat = () => history.beat({ worker: 'w1', atMs: Date.now(), runs: [aliveRun] });
    const beating = setInterval(beat, 200);
    context.onTestFinished(() => clearInterval(beating));
    const tracked = await track(2_000);
    await inState(bench.store, left, 'interrupted');
    const doubt = async () => (await bench.store.jobs.find(left))[0]?.uncertain;
    expect(await doubt()).toBe('its worker died: if it succeeded, its result was not told');
    expect(await stateOf(bench.store, alive)).toBe('running');
    await passes(tracked, 'jobs_tracker_interrupted_total', 1);
    // The broker delivers it again.
    await tell([{ ...base(left, newJobId()), attempt: 1, kind: 'started', worker: 'w1' }]);
    await inState(bench.store, left, 'running');
    expect(await doubt()).toBeUndefined();

    expect(await stateOf(bench.store, old)).toBeUndefined();
    expect(await stateOf(bench.store, kept)).toBe('dead');
    await reaches(tracked, 'jobs_tracker_pruned_total', 1);
  });

  it('tells at once of all that a dead worker had in hand; each ends as it is delivered again', async (context) => {
    const { bench, track, tell } = await setUp(context);
    const ids = Array.from({ length: 500 }, () => newJobId());
    const runs = (kind: 'started' | 'succeeded', run = newJobId()) =>
      ids.map((id) => ({ ...base(id, run), attempt: 1, kind, worker: 'w', durationMs: 1 }));
    await tell(runs('started'));
    const tracked = await track(2_000);
    const count = async (state: string) => {
      const rows = await bench.sql(
        `SELECT count(*)::int AS jobs FROM projection.jobs WHERE state = '${state}'`,
      );
      return Number(rows[0]?.['jobs']);
    };
    await eventually('all are interrupted', async () => (await count('interrupted')) === 500);
    await passes(tracked, 'jobs_tracker_interrupted_total', 500);
    const again = newJobId();
    await tell([...runs('started', again), ...runs('succeeded', again)]);
    await eventually('all have ended', async () => (await count('succeeded')) === 500);
  });
});
