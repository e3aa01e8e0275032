import { AggregatorRegistry } from 'prom-client';
import { expect, it } from 'vitest';
import { parseExposition } from './fixtures/parse-exposition.ts';
import { createMetrics, type Metrics } from './metrics.ts';

const queue = 'q';

/** What a scrape of two processes gets, the first of which has been made so, and the second so. */
async function together(...made: ((metrics: Metrics) => void)[]) {
  const families = made.map((make) => {
    const metrics = createMetrics({ service: 'test', version: '1', processMetrics: false });
    make(metrics);
    return metrics.families();
  });
  const text = await AggregatorRegistry.aggregate(
    (await Promise.all(families)) as unknown as object[],
  ).metrics();
  const series = parseExposition(text);
  return (name: string) => series.filter((one) => one.name === name).map(({ value }) => value);
}

it('counts, times, ages, limits and what describes are each put together as they must', async () => {
  const of = (n: number) => (metrics: Metrics) => {
    metrics.jobs_released_total.inc({ queue }, n);
    metrics.jobs_in_flight.set({ queue }, n);
    metrics.jobs_publish_confirm_seconds.observe({ exchange: 'jobs' }, n);
    metrics.jobs_last_started_enqueued_timestamp_seconds.set({ queue }, 1_000 * n);
    metrics.jobs_oldest_in_flight_seconds.set({ queue }, n);
    metrics.jobs_handler_timeout_seconds.set({ queue }, 30);
    metrics.jobs_queue_depth_limit.set({ queue }, 500);
    metrics.jobs_queue_info.set({ queue, role: 'work' }, 1);
    metrics.jobs_event_loop_utilization_ratio.set(n / 10);
    metrics.jobs_outbox_pending.set(n);
    metrics.jobs_broker_connected.set({ connection: 'consume' }, n - 1);
    metrics.jobs_connection_blocked.set({ connection: 'publish' }, n - 1);
  };
  const values = await together(of(1), of(2));
  expect(values('jobs_released_total')).toEqual([3]);
  expect(values('jobs_in_flight')).toEqual([3]);
  expect(values('jobs_publish_confirm_seconds_count')).toEqual([2]);
  expect(values('jobs_publish_confirm_seconds_sum')).toEqual([3]);
  expect(values('jobs_last_started_enqueued_timestamp_seconds')).toEqual([2_000]);
  expect(values('jobs_oldest_in_flight_seconds')).toEqual([2]);
  expect(values('jobs_handler_timeout_seconds')).toEqual([30]);
  expect(values('jobs_queue_depth_limit')).toEqual([500]);
  expect(values('jobs_queue_info')).toEqual([1]);
  expect(values('jobs_build_info')).toEqual([1]);
  expect(values('jobs_event_loop_utilization_ratio')[0]).toBeCloseTo(0.15);
  // Relays of one outbox see the same messages.
  expect(values('jobs_outbox_pending')).toEqual([2]);
  // One that is cut off, or blocked, is not to be hidden by another that is well.
  expect(values('jobs_broker_connected')).toEqual([0]);
  expect(values('jobs_connection_blocked')).toEqual([1]);
});
