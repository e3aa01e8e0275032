import { metricValue, quietTelemetry } from '@warren/testing';
import { expect, it } from 'vitest';
import { aMessage } from './a-message.fixture.ts';
import { QueueMetrics } from './queue-metrics.ts';

const QUEUE = { queue: 'a.b', jobType: 'a.b', startWithinMs: 2_000 };
const LAST_STARTED = 'jobs_last_started_enqueued_timestamp_seconds';

it('does not say when the last job that started was due before one has: 0 would be 1970', async () => {
  const { metrics } = quietTelemetry();
  const counts = new QueueMetrics(metrics, QUEUE);
  const shown = async () => (await metrics.text()).includes(`${LAST_STARTED}{`);
  expect(await shown()).toBe(false);
  counts.started(aMessage(), Date.now());
  expect(await shown()).toBe(false);
  counts.started(aMessage({ publishedAtMs: 5_000 }), Date.now());
  expect(await metricValue(metrics, LAST_STARTED, { queue: 'a.b' })).toBe(5);
});

it('counts those that started later than their type allows', async () => {
  const { metrics } = quietTelemetry();
  const counts = new QueueMetrics(metrics, QUEUE);
  const late = () =>
    metricValue(metrics, 'jobs_started_late_total', { queue: 'a.b', job_type: 'a.b' });
  counts.started(aMessage({ publishedAtMs: 5_000 }), 7_000);
  expect(await late()).toBe(0);
  counts.started(aMessage({ publishedAtMs: 5_000 }), 7_001);
  expect(await late()).toBe(1);
});

it('counts repeats of what is done, or runs already', async () => {
  const { metrics } = quietTelemetry();
  const counts = new QueueMetrics(metrics, QUEUE);
  for (const outcome of ['claimed', 'busy', 'done'] as const) counts.onceClaimed(outcome);
  for (const outcome of ['taken', 'busy', 'duplicate'] as const) counts.leased(outcome);
  const labels = { job_type: 'a.b', stage: 'consume' };
  expect(await metricValue(metrics, 'jobs_dedup_hits_total', labels)).toBe(2);
});
