import { DEAD_REASONS } from '@warren/contracts';
import { describe, expect, test } from 'vitest';
import { parseExposition } from './fixtures/parse-exposition.ts';
import {
  initialiseConnectionMetrics,
  initialisePublishMetrics,
  initialiseQueueMetrics,
} from './initial-series.ts';
import { createMetrics, type Metrics } from './metrics.ts';

const create = () => createMetrics({ service: 'test', version: '1', processMetrics: false });
const work = {
  queue: 'a.b',
  jobType: 'a.b',
  role: 'work',
  handlerTimeoutSeconds: 30,
  depthLimit: 500,
  startWithinSeconds: 90,
} as const;
const suspect = { ...work, queue: 'a.b.suspect', role: 'suspect' } as const;

const seriesOf = async (metrics: Metrics, name: string) =>
  parseExposition(await metrics.text()).filter((series) => series.name === name);

describe('initialiseQueueMetrics', () => {
  test('creates each reason of a dead letter at 0, so that the first one is seen', async () => {
    const metrics = create();
    initialiseQueueMetrics(metrics, work);
    const series = await seriesOf(metrics, 'jobs_dead_lettered_total');
    expect(series.map(({ labels }) => labels['reason'])).toEqual(Object.keys(DEAD_REASONS));
    expect(series.every(({ value }) => value === 0)).toBe(true);
  });

  test('creates histograms without an observation', async () => {
    const metrics = create();
    initialiseQueueMetrics(metrics, work);
    const series = await seriesOf(metrics, 'jobs_process_duration_seconds_count');
    expect(series.map(({ value }) => value)).toEqual([0, 0, 0, 0]);
  });

  test('says what the queue is for, how long a handler may run, and from when on waiting is too much', async () => {
    const metrics = create();
    initialiseQueueMetrics(metrics, work);
    initialiseQueueMetrics(metrics, { queue: 'a.b.dead', role: 'dead' });
    expect(await seriesOf(metrics, 'jobs_queue_info')).toEqual([
      { name: 'jobs_queue_info', labels: { queue: 'a.b', role: 'work' }, value: 1 },
      { name: 'jobs_queue_info', labels: { queue: 'a.b.dead', role: 'dead' }, value: 1 },
    ]);
    const [timeout, ...others] = await seriesOf(metrics, 'jobs_handler_timeout_seconds');
    expect([timeout?.value, others]).toEqual([30, []]);
    const [depth] = await seriesOf(metrics, 'jobs_queue_depth_limit');
    const [within] = await seriesOf(metrics, 'jobs_start_within_seconds');
    expect([depth?.value, within?.value]).toEqual([500, 90]);
  });

  test('does not say that the last job started in 1970', async () => {
    const metrics = create();
    initialiseQueueMetrics(metrics, work);
    expect(await seriesOf(metrics, 'jobs_last_started_enqueued_timestamp_seconds')).toEqual([]);
  });

  test('a second call, or the suspect queue of the same job type, keeps what was counted', async () => {
    const metrics = create();
    initialiseQueueMetrics(metrics, work);
    metrics.jobs_end_to_end_seconds.observe({ job_type: 'a.b', outcome: 'succeeded' }, 1);
    metrics.jobs_released_total.inc({ queue: 'a.b' });
    initialiseQueueMetrics(metrics, work);
    initialiseQueueMetrics(metrics, suspect);
    const [succeeded] = await seriesOf(metrics, 'jobs_end_to_end_seconds_count');
    expect(succeeded?.value).toBe(1);
    expect((await seriesOf(metrics, 'jobs_released_total')).map(({ value }) => value)).toEqual([
      1, 0,
    ]);
  });
});

test('publishing and connections have their series from the start', async () => {
  const metrics = create();
  initialisePublishMetrics(metrics, { exchange: 'jobs', jobType: 'a.b' });
  initialiseConnectionMetrics(metrics, 'publish');
  const published = await seriesOf(metrics, 'jobs_published_total');
  expect(published.map(({ labels }) => labels['outcome'])).toContain('returned');
  expect(await seriesOf(metrics, 'jobs_publish_confirm_seconds_count')).toHaveLength(1);
  expect(await seriesOf(metrics, 'jobs_broker_connected')).toMatchObject([{ value: 0 }]);
});

/** The tiers of every installation. */
const TIERS = 19;

test('a worker for ten job types, which publishes them too, stays below 5,000 series', async () => {
  const metrics = createMetrics({ service: 'test', version: '1' });
  for (const connection of ['publish', 'consume']) initialiseConnectionMetrics(metrics, connection);
  for (let tier = 0; tier < TIERS; tier += 1) {
    initialiseQueueMetrics(metrics, { queue: `retry.${tier}`, role: 'retry' });
  }
  for (let index = 0; index < 10; index += 1) {
    const name = `type.${index}`;
    initialiseQueueMetrics(metrics, { ...work, queue: name, jobType: name });
    initialiseQueueMetrics(metrics, { ...suspect, queue: `${name}.suspect`, jobType: name });
    initialiseQueueMetrics(metrics, { queue: `${name}.dead`, role: 'dead' });
    initialisePublishMetrics(metrics, { exchange: 'jobs', jobType: name });
    metrics.jobs_last_started_enqueued_timestamp_seconds.set({ queue: name }, 1);
  }
  const { length } = parseExposition(await metrics.text());
  expect(length).toBeGreaterThan(4_000);
  expect(length).toBeLessThan(5_000);
});
