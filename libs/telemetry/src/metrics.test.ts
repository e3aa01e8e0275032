import { describe, expect, test } from 'vitest';
import { errorTypeOf } from './error-type.ts';
import { parseExposition } from './fixtures/parse-exposition.ts';
import { METRICS } from './metric-table.ts';
import { createMetrics, onCollect } from './metrics.ts';

const create = () => createMetrics({ service: 'test', version: '1.2.3', processMetrics: false });

async function valueIn(metrics: ReturnType<typeof create>, name: string) {
  return parseExposition(await metrics.text()).find((series) => series.name === name)?.value;
}

describe('createMetrics', () => {
  test('its text parses and holds what was counted', async () => {
    const metrics = create();
    const labels = { exchange: 'jobs', job_type: 'email.send', outcome: 'confirmed' } as const;
    metrics.jobs_published_total.inc(labels);
    metrics.jobs_published_total.labels(labels).inc(2);
    metrics.jobs_publish_buffered.set(7);
    metrics.jobs_publish_confirm_seconds.observe({ exchange: 'odd "name"\\\n' }, 0.004);
    const series = parseExposition(await metrics.text());
    expect(series).toContainEqual({ name: 'jobs_published_total', labels, value: 3 });
    expect(series).toContainEqual({ name: 'jobs_publish_buffered', labels: {}, value: 7 });
    const upTo5ms = series.filter(
      ({ name, labels }) => name.endsWith('_bucket') && labels['le'] === '0.005',
    );
    expect(upTo5ms.map(({ value }) => value)).toEqual([1]);
    expect(metrics.contentType).toBe('text/plain; version=0.0.4; charset=utf-8');
  });

  test('says what runs', async () => {
    const info = parseExposition(await create().text()).find(
      ({ name }) => name === 'jobs_build_info',
    );
    expect(info?.labels).toEqual({
      service: 'test',
      version: '1.2.3',
      node_version: process.versions.node,
    });
  });

  test('two in one process share nothing', async () => {
    const [one, other] = [create(), create()];
    one.jobs_publish_buffered.set(1);
    expect(await valueIn(one, 'jobs_publish_buffered')).toBe(1);
    expect(await valueIn(other, 'jobs_publish_buffered')).toBe(0);
  });

  test('adds the metrics of the process, none of them named like a counter', async () => {
    const metrics = createMetrics({ service: 'test', version: '1' });
    const text = await metrics.text();
    expect(text).toContain('process_cpu_seconds_total');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect(text).not.toMatch(/TYPE \S+_total gauge/);
    const busy = await valueIn(metrics, 'jobs_event_loop_utilization_ratio');
    expect(busy).toBeGreaterThanOrEqual(0);
    expect(busy).toBeLessThanOrEqual(1);
  });

  test('refuses labels that the table does not have', () => {
    const metrics = create();
    // @ts-expect-error a value outside the closed set
    metrics.jobs_published_total.labels({ exchange: 'jobs', job_type: 'a', outcome: 'lost' });
    // @ts-expect-error a label is missing
    expect(() => metrics.jobs_in_flight.labels({})).toThrow('queue');
    // @ts-expect-error no such label
    expect(() => metrics.jobs_in_flight.set({ queue: 'a', job_id: '1' }, 1)).toThrow('job_id');
  });
});

test('20,000 different error messages add no series', async () => {
  const metrics = create();
  const count = (index: number) => {
    const error_type = errorTypeOf(new Error(`failure ${index} of amqp://host-${index}`));
    metrics.jobs_retries_scheduled_total.inc({ queue: 'q', job_type: 't', error_type });
  };
  count(0);
  const before = parseExposition(await metrics.text()).length;
  for (let index = 1; index < 20_000; index += 1) count(index);
  const after = parseExposition(await metrics.text());
  expect(after).toHaveLength(before);
  expect(after.find(({ name }) => name === 'jobs_retries_scheduled_total')?.value).toBe(20_000);
});

describe('onCollect', () => {
  test('runs before each scrape, until it is ended', async () => {
    const metrics = create();
    let age = 3;
    const end = onCollect(metrics, () =>
      metrics.jobs_oldest_in_flight_seconds.set({ queue: 'q' }, age),
    );
    expect(await valueIn(metrics, 'jobs_oldest_in_flight_seconds')).toBe(3);
    age = 4;
    expect(await valueIn(metrics, 'jobs_oldest_in_flight_seconds')).toBe(4);
    end();
    age = 5;
    expect(await valueIn(metrics, 'jobs_oldest_in_flight_seconds')).toBe(4);
  });

  test('one that throws is counted and stops neither the scrape nor the others', async () => {
    const metrics = create();
    onCollect(metrics, () => {
      throw new Error('no');
    });
    onCollect(metrics, () => metrics.jobs_publish_buffered.set(9));
    const text = await metrics.text();
    expect(text).toContain('jobs_publish_buffered 9');
    expect(text).toContain('jobs_collect_failures_total 1');
  });
});

describe('the table follows the conventions of Prometheus', () => {
  const UNITS = /_(?:seconds|bytes|ratio)$/;

  test.each(Object.entries(METRICS))('%s', (name, spec) => {
    expect(name).toMatch(/^jobs_[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/);
    expect(name.endsWith('_total')).toBe(spec.type === 'counter');
    expect(name).not.toMatch(/_(?:count|sum|bucket|ms|milliseconds|minutes|percent)(?:_|$)/);
    expect(spec.help).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(spec.labels)).not.toContain('le');
    if (/duration|wait|timeout|end_to_end|oldest|timestamp/.test(name)) expect(name).toMatch(UNITS);
  });

  test.each(Object.entries(METRICS).filter(([, { type }]) => type === 'histogram'))(
    '%s has rising buckets',
    (_name, spec) => {
      const buckets: readonly number[] = 'buckets' in spec ? spec.buckets : [];
      expect(buckets.length).toBeGreaterThan(5);
      expect(buckets).toEqual([...new Set(buckets)].sort((a, b) => a - b));
    },
  );
});
