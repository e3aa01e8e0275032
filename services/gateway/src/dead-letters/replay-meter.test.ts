import type { ReplayReport } from '@warren/dead-letter';
import { metricValue, quietTelemetry } from '@warren/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReplayMeter } from './replay-meter.ts';

const queue = 'a.b.dead';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function meter() {
  const { metrics } = quietTelemetry();
  const replays = new ReplayMeter(metrics, [queue]);
  const of = (outcome: string) => metricValue(metrics, 'jobs_replay_total', { queue, outcome });
  const underWay = () => metricValue(metrics, 'jobs_replay_in_progress', { queue });
  const last = () => metricValue(metrics, 'jobs_replay_last_progress_timestamp_seconds', { queue });
  return { replays, metrics, of, underWay, last };
}

it('has its series from the start, and no time before there is one', async () => {
  const { metrics, of, underWay } = meter();
  expect([await of('replayed'), await of('skipped'), await of('failed')]).toEqual([0, 0, 0]);
  expect(await underWay()).toBe(0);
  expect(await metrics.text()).not.toContain('last_progress_timestamp_seconds{');
});

it('tells when a replay last got further, not when it last said that it had not', async () => {
  const { replays, underWay, last, of } = meter();
  const run = replays.begin(queue);
  expect([await underWay(), await last()]).toEqual([1, 1_000]);
  vi.setSystemTime(1_005_000);
  run.progress({ step: 'taking', done: 3, of: 10 });
  expect([await last(), await of('replayed')]).toEqual([1_005, 3]);
  vi.setSystemTime(1_010_000);
  run.progress({ step: 'taking', done: 3, of: 10 });
  expect([await last(), await of('replayed')]).toEqual([1_005, 3]);
});

it('counts each once, in the end by the report', async () => {
  const { replays, underWay, of } = meter();
  const run = replays.begin(queue);
  run.progress({ step: 'choosing', done: 1_000, of: 2_000 });
  run.progress({ step: 'taking', done: 4, of: 10 });
  run.end({ replayed: 6, left: 2, cameBack: 1, unknown: 1 } as ReplayReport);
  expect([await of('replayed'), await of('skipped'), await of('failed')]).toEqual([6, 3, 1]);
  expect(await underWay()).toBe(0);
  replays.begin(queue).end();
  expect([await of('replayed'), await underWay()]).toEqual([6, 0]);
});
