import {
  ATTR_ERROR_TYPE,
  ATTR_MESSAGING_DESTINATION_NAME,
  ATTR_MESSAGING_OPERATION_NAME,
  ATTR_MESSAGING_OPERATION_TYPE,
  METRIC_MESSAGING_CLIENT_CONSUMED_MESSAGES,
  METRIC_MESSAGING_CLIENT_OPERATION_DURATION,
  METRIC_MESSAGING_CLIENT_SENT_MESSAGES,
  METRIC_MESSAGING_PROCESS_DURATION,
} from '@opentelemetry/semantic-conventions/incubating';
import { JobTimeoutError, PublishTimeoutError, UnroutableError } from '@warren/contracts';
import { type CollectedMetrics, collectMetrics, metricValue } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics.ts';
import { MAX_SERIES_PER_METRIC } from '../series-store.ts';
import { DURATION_BUCKETS, INSTRUMENTS, seriesAttributes } from './conventions.ts';
import { queueMeter } from './queue-meter.ts';
import { sendMeter } from './send-meter.ts';

const metrics = createMetrics({ service: 'test', version: '1', processMetrics: false });
const to = { exchange: 'jobs', routingKey: 'email.send' };
const queue = {
  queue: 'email.send',
  isDeclaredExchange: (exchange: string) => exchange === 'jobs',
  isDeclaredKey: (key: string) => key === 'email.send',
};
const rabbitmq = { 'messaging.system': 'rabbitmq' };

describe('the names', () => {
  it("are those of OpenTelemetry's own package", () => {
    expect(Object.values(INSTRUMENTS).map(({ name }) => name)).toEqual([
      METRIC_MESSAGING_CLIENT_SENT_MESSAGES,
      METRIC_MESSAGING_CLIENT_CONSUMED_MESSAGES,
      METRIC_MESSAGING_CLIENT_OPERATION_DURATION,
      METRIC_MESSAGING_PROCESS_DURATION,
    ]);
    const facts = { operation: 'o', type: 'send', destination: 'd', error: 'e' } as const;
    expect(seriesAttributes(facts)).toEqual({
      ...rabbitmq,
      [ATTR_MESSAGING_OPERATION_NAME]: 'o',
      [ATTR_MESSAGING_OPERATION_TYPE]: 'send',
      [ATTR_MESSAGING_DESTINATION_NAME]: 'd',
      [ATTR_ERROR_TYPE]: 'e',
    });
  });
});

describe('while nobody collects metrics', () => {
  it('there is nothing to measure with', () => {
    expect(sendMeter(metrics)).toBeUndefined();
    expect(queueMeter(metrics, queue)).toBeUndefined();
  });
});

describe('while metrics are collected', () => {
  let collected: CollectedMetrics;
  beforeEach(() => {
    collected = collectMetrics();
  });
  afterEach(() => collected.end());

  const pointsOf = async (name: string) => (await collected.read(name))?.points ?? [];

  it('a publish is counted and timed, with what became of it', async () => {
    const meter = sendMeter(metrics);
    meter?.ended(to, 'confirmed', 20);
    meter?.ended(to, 'confirmed', 40);
    meter?.ended(to, 'returned', 5, new UnroutableError('email.send', 'jobs', 'NO_ROUTE'));
    meter?.ended(to, 'nacked', 5, new Error('who knows'));
    const destination = { ...rabbitmq, 'messaging.destination.name': 'jobs:email.send' };
    const sent = { ...destination, 'messaging.operation.name': 'send' };
    expect(await collected.read(INSTRUMENTS.sent.name)).toEqual({
      unit: '{message}',
      points: [
        { attributes: sent, count: 2 },
        { attributes: { ...sent, 'error.type': 'UNROUTABLE' }, count: 1 },
        { attributes: { ...sent, 'error.type': '_OTHER' }, count: 1 },
      ],
    });
    const timed = { ...sent, 'messaging.operation.type': 'send' };
    const durations = await collected.read(INSTRUMENTS.operationSeconds.name);
    expect(durations?.unit).toBe('s');
    expect(durations?.points).toMatchObject([
      { attributes: timed, count: 2, sum: expect.closeTo(0.06), buckets: DURATION_BUCKETS },
      { attributes: { ...timed, 'error.type': 'UNROUTABLE' }, count: 1 },
      { attributes: { ...timed, 'error.type': '_OTHER' }, count: 1 },
    ]);
  });

  it('a publish that never left is an operation, but no message', async () => {
    sendMeter(metrics)?.ended(to, 'error', 0, new PublishTimeoutError(1_000, 'away'));
    expect(await pointsOf(INSTRUMENTS.sent.name)).toEqual([]);
    expect(await pointsOf(INSTRUMENTS.operationSeconds.name)).toMatchObject([
      { attributes: { 'error.type': 'PUBLISH_TIMEOUT' }, count: 1 },
    ]);
  });

  it('deliveries, runs and moves are measured, an error by its kind alone', async () => {
    const meter = queueMeter(metrics, queue);
    meter?.delivered(to);
    meter?.ran(to, { durationMs: 250, hasFailed: false, error: new Error('snoozed') });
    meter?.ran(to, { durationMs: 250, hasFailed: true, error: new JobTimeoutError('t', 1) });
    meter?.ran(to, { durationMs: 250, hasFailed: true, error: 'text' });
    meter?.moved(to, 'retry', 10, false);
    meter?.moved(to, 'retry', 10, true);
    const destination = { ...rabbitmq, 'messaging.destination.name': 'jobs:email.send' };
    expect(await pointsOf(INSTRUMENTS.consumed.name)).toEqual([
      { attributes: { ...destination, 'messaging.operation.name': 'consume' }, count: 1 },
    ]);
    const run = { ...destination, 'messaging.operation.name': 'process' };
    expect(await pointsOf(INSTRUMENTS.processSeconds.name)).toMatchObject([
      { attributes: run, count: 1, sum: 0.25 },
      { attributes: { ...run, 'error.type': 'timeout' } },
      { attributes: { ...run, 'error.type': '_OTHER' } },
    ]);
    const move = { 'messaging.operation.name': 'retry', 'messaging.operation.type': 'settle' };
    expect(await pointsOf(INSTRUMENTS.operationSeconds.name)).toMatchObject([
      { attributes: { ...destination, ...move }, count: 1 },
      { attributes: { ...move, 'error.type': 'DELIVERY_LOST' }, count: 1 },
    ]);
  });

  it.each([
    ['what anybody may have made up', { exchange: 'x', routingKey: 'y' }, 'email.send'],
    ['a key that nobody declared', { exchange: 'jobs', routingKey: 'y' }, 'jobs:email.send'],
    ['the default exchange', { exchange: '', routingKey: 'email.send' }, 'email.send'],
  ])('the destination of a delivery is without %s', async (_, from, name) => {
    queueMeter(metrics, queue)?.delivered(from);
    const [point] = await pointsOf(INSTRUMENTS.consumed.name);
    expect(point?.attributes['messaging.destination.name']).toBe(name);
  });

  it('clients and workers of one process share their series', async () => {
    sendMeter(metrics)?.ended(to, 'confirmed', 1);
    sendMeter(metrics)?.ended(to, 'confirmed', 1);
    expect(await pointsOf(INSTRUMENTS.sent.name)).toMatchObject([{ count: 2 }]);
  });

  it('destinations beyond a bound share one name, and that is counted', async () => {
    const meter = sendMeter(metrics);
    for (let n = 0; n < MAX_SERIES_PER_METRIC + 3; n += 1) {
      meter?.ended({ exchange: 'jobs', routingKey: `made-up.${n}` }, 'error', 0);
    }
    meter?.ended({ exchange: 'jobs', routingKey: 'made-up.last' }, 'confirmed', 1);
    expect(await pointsOf(INSTRUMENTS.sent.name)).toMatchObject([
      { attributes: { ...rabbitmq, 'messaging.destination.name': '_other' }, count: 1 },
    ]);
    const folded = { metric: 'messaging' };
    expect(await metricValue(metrics, 'jobs_metrics_overflow_total', folded)).toBe(4);
  });
});
