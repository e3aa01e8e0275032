import { defineEvent, SnoozeError } from '@warren/contracts';
import {
  loadConfig,
  type Metering,
  meteringSettings,
  startMetering,
  tracingSettings,
} from '@warren/runtime';
import {
  anyJob,
  type ExportedMetric,
  endingsOf,
  eventually,
  type Installation,
  install,
  metricValue,
  type OtlpReceiver,
  quietTelemetry,
  startOtlpReceiver,
  unusedPort,
} from '@warren/testing';
import { handle, subscribe } from '@warren/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const job = anyJob('probe.run', {
  retry: { maxAttempts: 2, backoff: { kind: 'fixed', delay: '250ms' } },
});
const { schema } = job;
const event = defineEvent({ type: 'probe.done', schema });
const rabbitmq = { 'messaging.system': 'rabbitmq' };
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

let here: Installation;
let metering: Metering | undefined;
beforeEach(async () => {
  here = await install([job], { events: [event], subscribers: ['probe.audit'] });
});
afterEach(async () => {
  await here.dispose();
  await metering?.stop();
});

async function startTo(url: string, env: Record<string, string> = {}): Promise<void> {
  const config = loadConfig(
    { ...tracingSettings, ...meteringSettings },
    { OTEL_METRICS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_ENDPOINT: url, ...env },
  );
  metering = await startMetering('test', config, quietTelemetry().logger);
}

const completed = () => metricValue(here.metrics, 'jobs_completed_total', { job_type: job.type });

describe('metrics over OTLP', () => {
  let receiver: OtlpReceiver;
  beforeEach(async () => {
    receiver = await startOtlpReceiver();
  });
  afterEach(() => receiver.stop());

  /** Ends the metering, and returns the metrics as they were sent last, their series by operation and destination. */
  async function lastSent() {
    await metering?.stop();
    const metrics = receiver.exports.at(-1)?.metrics ?? [];
    return (name: string): ExportedMetric => {
      const found = metrics.find((metric) => metric.name === name);
      if (!found) throw new Error(`no metric ${name}`);
      const rank = ({ attributes }: ExportedMetric['points'][number]) => JSON.stringify(attributes);
      const points = found.points.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
      return { ...found, points };
    };
  }

  it('tell of what is sent, delivered, run and moved, and of what fails', async () => {
    await startTo(receiver.url);
    const jobs = await here.connect();
    await here.work([
      handle(job, ({ payload, attempt }) => {
        const { fails } = payload as { fails: number };
        if (attempt <= fails) throw new TypeError('not yet');
      }),
      subscribe(event, { as: 'probe.audit' }, () => {}),
    ]);
    for (const fails of [0, 0, 1, 2]) await jobs.publish(job, { fails });
    await jobs.emit(event, {});
    await here.admin.publish('', here.topology.names.workQueue(job.type), '{"fails":0}', {
      messageId: 'foreign',
    });
    await eventually('all have ended', async () => (await completed()) === 5);
    await eventually(
      'the event is read',
      async () => (await metricValue(here.metrics, 'jobs_completed_total')) === 6,
    );

    const metric = await lastSent();
    const { names } = here.topology;
    const queue = names.workQueue(job.type);
    const audit = names.workQueue('probe.audit');
    const at = (operation: string, destination: string) => ({
      ...rabbitmq,
      'messaging.operation.name': operation,
      'messaging.destination.name': destination,
    });
    const fresh = `${names.jobs}:${job.type}:${queue}`;
    const again = `${names.due}:${queue}`;
    const emitted = `${names.events}:${event.type}`;
    expect(metric('messaging.client.sent.messages')).toEqual({
      name: 'messaging.client.sent.messages',
      unit: '{message}',
      temporality: 2,
      points: [
        { attributes: at('send', emitted), count: 1, bounds: undefined },
        { attributes: at('send', `${names.jobs}:${job.type}`), count: 4, bounds: undefined },
      ],
    });
    expect(metric('messaging.client.consumed.messages')).toMatchObject({
      unit: '{message}',
      points: [
        { attributes: at('consume', `${emitted}:${audit}`), count: 1 },
        { attributes: at('consume', again), count: 2 },
        { attributes: at('consume', fresh), count: 4 },
        { attributes: at('consume', queue), count: 1 },
      ],
    });
    const failed = { 'error.type': 'handler' };
    expect(metric('messaging.process.duration')).toMatchObject({
      unit: 's',
      points: [
        { attributes: at('process', `${emitted}:${audit}`), count: 1, bounds: SECONDS },
        { attributes: { ...at('process', again), ...failed }, count: 1 },
        { attributes: at('process', again), count: 1 },
        { attributes: { ...at('process', fresh), ...failed }, count: 2 },
        { attributes: at('process', fresh), count: 2 },
        { attributes: at('process', queue), count: 1 },
      ],
    });
    const type = (name: string) => ({ 'messaging.operation.type': name });
    expect(metric('messaging.client.operation.duration')).toMatchObject({
      unit: 's',
      points: [
        { attributes: { ...at('dead_letter', again), ...type('settle') }, count: 1 },
        { attributes: { ...at('retry', fresh), ...type('settle') }, count: 2, bounds: SECONDS },
        { attributes: { ...at('send', emitted), ...type('send') }, count: 1 },
        { attributes: { ...at('send', `${names.jobs}:${job.type}`), ...type('send') }, count: 4 },
      ],
    });
  });

  it('count a job that is put off as no failure, and one that may not run as no run', async () => {
    await startTo(receiver.url);
    const jobs = await here.connect();
    const strict = anyJob(job.type, { maxAge: '1m' });
    const seen = new Set<string>();
    await here.work([
      handle(strict, ({ id }) => {
        if (seen.has(id)) return;
        seen.add(id);
        throw new SnoozeError(250, 'not now');
      }),
    ]);
    const queue = here.topology.names.workQueue(job.type);
    await here.admin.publish('', queue, '{}', {
      messageId: 'old',
      headers: { 'x-published-at': 1 },
    });
    await jobs.publish(job, {});
    await eventually('both have ended', async () => (await completed()) === 2);
    const metric = await lastSent();
    const runs = metric('messaging.process.duration').points;
    expect(runs.map(({ count, attributes }) => [count, attributes['error.type']])).toEqual([
      [1, undefined],
      [1, undefined],
    ]);
    const operations = metric('messaging.client.operation.duration').points;
    expect(operations.map(({ attributes }) => attributes['messaging.operation.name'])).toEqual([
      'dead_letter',
      'send',
      'snooze',
    ]);
    expect(operations.every(({ attributes }) => !('error.type' in attributes))).toBe(true);
  });

  it('tell why a publish failed', async () => {
    await startTo(receiver.url);
    const connection = { urls: [`amqp://127.0.0.1:${await unusedPort()}`] };
    const jobs = await here.connect({ connection, publish: { maxWaitMs: 0 } });
    expect(await endingsOf([jobs.publish(job, {})])).toEqual({ BROKER_UNAVAILABLE: 1 });
    await jobs.close();
    const metric = await lastSent();
    expect(metric('messaging.client.operation.duration').points).toMatchObject([
      { attributes: { 'error.type': 'BROKER_UNAVAILABLE' }, count: 1 },
    ]);
    expect(() => metric('messaging.client.sent.messages')).toThrow('no metric');
  });
});

describe('a collector', () => {
  it.each([
    ['that is away', async () => ({ url: `http://127.0.0.1:${await unusedPort()}` })],
    ['that does not answer', () => startOtlpReceiver(false)],
  ])('%s keeps no job from its end', async (_, open) => {
    const collector = await open();
    await startTo(collector.url, { OTEL_METRIC_EXPORT_INTERVAL: '100' });
    const jobs = await here.connect();
    await here.work([handle(job, () => {})]);
    const published = Array.from({ length: 500 }, () => jobs.publish(job, {}));
    expect(await endingsOf(published)).toEqual({ ok: 500 });
    await eventually('all have ended', async () => (await completed()) === 500);
    await metering?.stop();
    if ('stop' in collector) await collector.stop();
  });
});
