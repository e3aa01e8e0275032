import { isTracing, traceCreate } from '@warren/telemetry';
import { type OtlpReceiver, quietTelemetry, startOtlpReceiver, unusedPort } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { Fixture } from '../fixtures/spawn-fixture.ts';
import { startTracing } from './start-tracing.ts';
import { tracingSettings } from './tracing-settings.ts';

let collector: OtlpReceiver;
beforeEach(async () => {
  collector = await startOtlpReceiver();
});
afterEach(() => collector.stop());

const message = { exchange: 'jobs', routingKey: 'a.job', jobType: 'a.job', id: 'j1' };

function start(env: Record<string, string>) {
  const { logger, lines } = quietTelemetry();
  const tracing = startTracing('shop', loadConfig(tracingSettings, env), logger);
  return { tracing, lines };
}

describe('traces of a process', { timeout: 60_000 }, () => {
  /** Makes one span when it starts, and one measurement. */
  const run = (env: Record<string, string>) => new Fixture({ FIXTURE_MODE: 'trace', ...env });

  async function end(fixture: Fixture): Promise<void> {
    await fixture.line('started');
    fixture.child.kill('SIGTERM');
    expect(await fixture.exited).toEqual({ code: 0, signal: null });
  }

  test('are sent to the collector that the environment names, the last ones at the end', async () => {
    const fixture = run({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20sesame',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await end(fixture);
    const [sent] = collector.exports;
    expect(sent?.path).toBe('/v1/traces');
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
    expect(sent?.spans.map(({ name }) => name)).toEqual(['create jobs:a.job']);
    expect(fixture.stdout).not.toContain('sesame');
  });

  test('are not made where no collector is named, and nothing is loaded for them', async () => {
    const fixture = run({});
    expect(await fixture.line('traced')).toMatchObject({ loaded: [] });
    await end(fixture);
  });
});

describe('startTracing', () => {
  test.each([
    ['no collector is named', {}],
    ['they are not wanted', { OTEL_TRACES_EXPORTER: 'none' }],
    ['the SDK is switched off', { OTEL_SDK_DISABLED: 'true' }],
  ])('does nothing where %s', async (_, env) => {
    const isNamed = Object.keys(env).length > 0;
    const { tracing } = start({
      ...env,
      ...(isNamed && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }),
    });
    expect(await tracing).toBeUndefined();
    expect(isTracing()).toBe(false);
  });

  test('takes a URL for traces as it is, and makes spans until it is stopped', async () => {
    const { tracing } = start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/otlp`,
    });
    const started = await tracing;
    expect(isTracing()).toBe(true);
    expect(traceCreate({ ...message, correlationId: undefined })).toBeDefined();
    await started?.stop();
    expect(isTracing()).toBe(false);
    expect(collector.exports.map(({ path }) => path)).toEqual(['/otlp']);
  });

  test('leaves an SDK alone that is there already', async () => {
    const first = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }).tracing;
    const second = start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(await second.tracing).toBeUndefined();
    expect(second.lines).toMatchObject([
      { level: 'warn', msg: expect.stringContaining('is there') },
    ]);
    expect(isTracing()).toBe(true);
    await first?.stop();
  });

  test('waits for no collector that is away, and says so without its password', async () => {
    const url = `http://user:sesame@127.0.0.1:${await unusedPort()}`;
    const { tracing, lines } = start({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const started = await tracing;
    traceCreate({ ...message, correlationId: undefined });
    await started?.stop();
    expect(lines.some(({ level }) => level === 'warn')).toBe(true);
    expect(JSON.stringify(lines)).not.toContain('sesame');
  });
});

test('tracing that is configured wrongly is refused by name', () => {
  const read = () =>
    loadConfig(tracingSettings, {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '10%',
    });
  expect(read).toThrow(
    /OTEL_EXPORTER_OTLP_ENDPOINT.*URL such as http:\/\/collector:4318, not "collector:4317"/,
  );
  expect(read).toThrow(/OTEL_EXPORTER_OTLP_PROTOCOL: must be one of http\/json, http\/protobuf/);
  expect(read).toThrow(/OTEL_TRACES_SAMPLER: must be one of always_on/);
  expect(read).toThrow(/OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1, not "10%"/);
});
