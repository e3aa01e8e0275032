import { sendMeter } from '@warren/telemetry';
import { type OtlpReceiver, quietTelemetry, startOtlpReceiver, unusedPort } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { Fixture } from '../fixtures/spawn-fixture.ts';
import { tracingSettings } from '../tracing/tracing-settings.ts';
import { meteringSettings } from './metering-settings.ts';
import { startMetering } from './start-metering.ts';

let receiver: OtlpReceiver;
beforeEach(async () => {
  receiver = await startOtlpReceiver();
});
afterEach(() => receiver.stop());

const ON = { OTEL_METRICS_EXPORTER: 'otlp' };
const SENT = 'messaging.client.sent.messages';
const { metrics } = quietTelemetry();
const publish = () =>
  sendMeter(metrics)?.ended({ exchange: 'jobs', routingKey: 'a.job' }, 'confirmed', 1);

function start(env: Record<string, string>) {
  const { logger, lines } = quietTelemetry();
  const config = loadConfig({ ...tracingSettings, ...meteringSettings }, env);
  return { metering: startMetering('shop', config, logger), lines };
}

const sentIn = ({ exports }: OtlpReceiver) =>
  exports.map(({ metrics }) => metrics.find(({ name }) => name === SENT)?.points[0]?.count);

describe('metrics of a process', { timeout: 60_000 }, () => {
  test('are sent to the collector of its traces, the last ones at the end', async () => {
    const fixture = new Fixture({
      ...ON,
      FIXTURE_MODE: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20sesame',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await fixture.line('started');
    fixture.child.kill('SIGTERM');
    expect(await fixture.exited).toEqual({ code: 0, signal: null });
    expect(receiver.exports.map(({ path }) => path).sort()).toEqual(['/v1/metrics', '/v1/traces']);
    const sent = receiver.exports.find(({ path }) => path === '/v1/metrics');
    expect(sent?.headers).toMatchObject({
      authorization: 'Bearer sesame',
      'content-type': 'application/json',
    });
    expect(sent?.resource).toMatchObject({
      'service.name': 'fixture',
      'service.version': expect.any(String),
      'service.instance.id': expect.any(String),
      'deployment.environment.name': 'test',
    });
    expect(sent?.metrics.map(({ name }) => name).sort()).toEqual([
      'messaging.client.operation.duration',
      SENT,
    ]);
  });
});

describe('startMetering', () => {
  test.each([
    ['nobody asks for them', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }],
    ['they are not wanted', { OTEL_METRICS_EXPORTER: 'none' }],
    ['the SDK is switched off', { ...ON, OTEL_SDK_DISABLED: 'true' }],
  ])('does nothing where %s', async (_, env) => {
    expect(await start(env).metering).toBeUndefined();
    expect(sendMeter(metrics)).toBeUndefined();
  });

  test('takes a URL for metrics as it is, and measures until it is stopped', async () => {
    const { metering } = start({
      ...ON,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${receiver.url}/otlp`,
    });
    const started = await metering;
    publish();
    await started?.stop();
    expect(sendMeter(metrics)).toBeUndefined();
    expect(receiver.exports.map(({ path }) => path)).toEqual(['/otlp']);
    expect(sentIn(receiver)).toEqual([1]);
  });

  test.each([
    ['cumulative', 2],
    ['delta', 1],
    // A counter that is read when it is exported costs no memory as a total.
    ['lowmemory', 2],
  ])('tells counts as is preferred: %s', async (preference, temporality) => {
    const { metering } = start({
      ...ON,
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: preference,
    });
    const started = await metering;
    publish();
    await started?.stop();
    const [sent] = receiver.exports.flatMap((one) =>
      one.metrics.filter(({ name }) => name === SENT),
    );
    expect(sent?.temporality).toBe(temporality);
  });

  test('leaves an SDK alone that is there already', async () => {
    const env = { ...ON, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
    const first = await start(env).metering;
    const second = start(env);
    expect(await second.metering).toBeUndefined();
    expect(second.lines).toMatchObject([
      { level: 'warn', msg: expect.stringContaining('is there') },
    ]);
    publish();
    await first?.stop();
    expect(sentIn(receiver)).toEqual([1]);
  });

  test('waits for no collector that is away, and says so without its password', async () => {
    const url = `http://user:sesame@127.0.0.1:${await unusedPort()}`;
    const { metering, lines } = start({ ...ON, OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const started = await metering;
    publish();
    await started?.stop();
    expect(lines.some(({ level }) => level === 'warn')).toBe(true);
    expect(JSON.stringify(lines)).not.toContain('sesame');
  });

  test('ends although a collector does not answer', async () => {
    const silent = await startOtlpReceiver(false);
    const { metering, lines } = start({ ...ON, OTEL_EXPORTER_OTLP_ENDPOINT: silent.url });
    const started = await metering;
    publish();
    await started?.stop();
    expect(sentIn(silent)).toEqual([1]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: 'the last metrics were not sent' }),
    );
    await silent.stop();
  });
});

test('metrics that are configured wrongly are refused by name', () => {
  const read = () =>
    loadConfig(meteringSettings, {
      OTEL_METRICS_EXPORTER: 'prometheus',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'collector:4317',
      OTEL_METRIC_EXPORT_INTERVAL: '10s',
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: 'absolute',
    });
  expect(read).toThrow(/OTEL_METRICS_EXPORTER: must be one of otlp, none/);
  expect(read).toThrow(/OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: must be a URL such as/);
  expect(read).toThrow(/OTEL_METRIC_EXPORT_INTERVAL: must be a whole number from 100/);
  expect(read).toThrow(
    /OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: must be one of cumulative, delta, lowmemory/,
  );
});
