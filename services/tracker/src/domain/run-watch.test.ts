import { expect, it } from 'vitest';
import { RunWatch } from './run-watch.ts';

const SILENCE = 20_000;
/** Of the worker, an hour ahead of whoever listens. */
const theirs = (ms: number) => 3_600_000 + ms;

const job = (
  run: string,
  worker: string | undefined = 'w1',
  startedAtMs: number | undefined = theirs(0),
) => ({
  id: `job-${run}`,
  queue: 'a.b',
  type: 'a.b',
  generation: 0,
  attempt: 1,
  run,
  worker,
  startedAtMs,
});
const beat = (atMs: number, runs: readonly string[], worker = 'w1') => ({
  worker,
  atMs: theirs(atMs),
  runs,
});
const runs = (jobs: readonly { run: string }[]) => jobs.map(({ run }) => run);

it('leaves runs alone that are named, whatever the clock of their worker says', () => {
  const watch = new RunWatch(SILENCE);
  for (let ms = 0; ms <= 60_000; ms += 5_000) {
    watch.hear(beat(ms, ['r1']), ms);
    expect(watch.abandoned([job('r1')], { nowMs: ms, sinceMs: 0 })).toEqual([]);
  }
});

it('finds the runs of a worker that fell silent, and of one that was never heard', () => {
  const watch = new RunWatch(SILENCE);
  const running = [job('r1'), job('r2', 'w2'), job('r3', undefined, undefined)];
  watch.hear(beat(4_000, ['r1']), 4_000);
  expect(watch.abandoned(running, { nowMs: 0, sinceMs: 0 })).toEqual([]);
  expect(watch.abandoned(running, { nowMs: 19_999, sinceMs: 0 })).toEqual([]);
  expect(runs(watch.abandoned(running, { nowMs: 20_000, sinceMs: 0 }))).toEqual(['r2', 'r3']);
  expect(runs(watch.abandoned(running, { nowMs: 24_000, sinceMs: 0 }))).toEqual(['r1']);
  // Said once; again only if it still runs after another silence.
  expect(watch.abandoned(running, { nowMs: 39_999, sinceMs: 0 })).toEqual([]);
  expect(runs(watch.abandoned(running, { nowMs: 40_000, sinceMs: 0 }))).toEqual(['r2', 'r3']);
});

it('finds a run that its worker, alive, does not name any more', () => {
  const watch = new RunWatch(SILENCE);
  const lost: string[] = [];
  for (let ms = 0; ms <= 30_000; ms += 5_000) {
    watch.hear(beat(ms, ms < 5_000 ? ['r1', 'r2'] : ['r2']), ms);
    lost.push(...runs(watch.abandoned([job('r1'), job('r2')], { nowMs: ms, sinceMs: 0 })));
  }
  expect(lost).toEqual(['r1']);
});

it('expects no heartbeat to name what began after it, nor an older one to undo a newer', () => {
  const watch = new RunWatch(SILENCE);
  watch.hear(beat(15_000, []), 15_000);
  watch.hear(beat(10_000, ['old']), 15_001);
  const late = [job('late', 'w1', theirs(15_001)), job('old', 'w1', theirs(1))];
  expect(watch.abandoned(late, { nowMs: 0, sinceMs: 0 })).toEqual([]);
  expect(runs(watch.abandoned(late, { nowMs: 30_000, sinceMs: 0 }))).toEqual(['old']);
  expect(runs(watch.abandoned(late, { nowMs: 35_000, sinceMs: 0 }))).toEqual(['late']);
});

it('counts no silence while it was not listening', () => {
  const watch = new RunWatch(SILENCE);
  watch.hear(beat(0, ['r1']), 0);
  expect(watch.abandoned([job('r1')], { nowMs: 0, sinceMs: 0 })).toEqual([]);
  expect(watch.abandoned([job('r1')], { nowMs: 100_000, sinceMs: 90_000 })).toEqual([]);
  expect(watch.abandoned([job('r1')], { nowMs: 109_999, sinceMs: 90_000 })).toEqual([]);
  expect(runs(watch.abandoned([job('r1')], { nowMs: 110_000, sinceMs: 90_000 }))).toEqual(['r1']);
});
