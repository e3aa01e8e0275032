import { metricValue, quietTelemetry } from '@warren/testing';
import { expect, it } from 'vitest';
import { forgetOld } from './forget-old.ts';

it('forgets a thousand at a time until there are fewer, and nothing once it is stopped', async () => {
  const left = {
    jobs: [1_000, 1_000, 7],
    keys: [1_000, 0],
    claims: [3],
    unique: [4],
    checkpoints: [5],
    limits: [6],
  };
  const asked: [string, number, number][] = [];
  const telemetry = quietTelemetry();
  const answer = (of: keyof typeof left, ms: number, limit: number) => {
    asked.push([of, ms, limit]);
    return Promise.resolve(left[of].shift() ?? 0);
  };
  const duty = forgetOld({
    store: {
      projection: {
        prune: ({ endedBeforeMs, limit }) => answer('jobs', Date.now() - endedBeforeMs, limit),
      },
      retention: {
        idempotencyKeys: ({ olderThanMs, limit }) => answer('keys', olderThanMs, limit),
        claims: ({ olderThanMs, limit }) => answer('claims', olderThanMs, limit),
        uniqueKeys: ({ limit }) => answer('unique', 0, limit),
        checkpoints: ({ olderThanMs, limit }) => answer('checkpoints', olderThanMs, limit),
        limits: ({ olderThanMs, limit }) => answer('limits', olderThanMs, limit),
      },
    },
    keepMs: { endedJobs: 7_000_000, idempotencyKeys: 8, claims: 9, limits: 10 },
    ...telemetry,
  });
  await duty.run(new AbortController().signal);
  expect(asked.slice(0, 3)).toEqual(Array(3).fill(['jobs', expect.any(Number), 1_000]));
  for (const [, ms] of asked.slice(0, 3)) expect(Math.round(ms / 1e6)).toBe(7);
  expect(asked.slice(3)).toEqual([
    ['keys', 8, 1_000],
    ['keys', 8, 1_000],
    ['claims', 9, 1_000],
    ['unique', 0, 1_000],
    ['checkpoints', 9, 1_000],
    ['limits', 10, 1_000],
  ]);
  expect(await metricValue(telemetry.metrics, 'jobs_tracker_pruned_total')).toBe(2_007);
  await duty.run(AbortSignal.abort());
  expect(asked).toHaveLength(9);
});
