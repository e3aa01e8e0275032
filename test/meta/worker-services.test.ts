import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, type Service, workerSettings } from '@warren/runtime';
import { metricValue, quietTelemetry } from '@warren/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { ROOT } from './compose-file.ts';
import { createService, reportSettings } from './fixtures/report-service.ts';
import { SERVICE_SETTINGS } from './service-settings.ts';

/** Nothing listens on this port of loopback. */
const NO_BROKER = 'amqp://127.0.0.1:9';
const TYPE = 'report.render';

describe('the service that docs/adding-a-job.md shows', () => {
  let service: Service | undefined;
  afterEach(() => service?.stop());

  it.each([
    [{ CONCURRENCY: `${TYPE}=7,email.send=3` }, 7],
    [{ CONCURRENCY: 'email.send=3' }, 2],
  ])('runs with %j as many at once', async (env, expected) => {
    const { logger, metrics } = quietTelemetry('report');
    const config = loadConfig(reportSettings, { AMQP_URL: NO_BROKER, ...env });
    service = createService(config, { logger, metrics });
    await service.start();
    expect(await metricValue(metrics, 'jobs_concurrency', { queue: TYPE })).toBe(expected);
  });

  it.each([
    ['CONCURRENCY', `${TYPE}=0`],
    ['CONCURRENCY', 'report.rendre=1'],
    ['PREFETCH', '0'],
    ['CONSUMER_TIMEOUT_SECONDS', 'soon'],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => loadConfig(reportSettings, { [name]: value })).toThrow(
      expect.objectContaining({ setting: name }),
    );
  });
});

/** Those that consume: the gateway and the tracker have other reasons to know the lib. */
const workers = readdirSync(join(ROOT, 'services')).filter(
  (name) => SERVICE_SETTINGS[name] && /createWorker\(/.test(source(name)),
);

function source(name: string): string {
  try {
    return readFileSync(join(ROOT, 'services', name, 'src/service.ts'), 'utf8');
  } catch {
    return '';
  }
}

describe.each(workers)('the service %s', (name) => {
  it('knows the settings of every worker, and hands them on', () => {
    expect(Object.keys(SERVICE_SETTINGS[name] ?? {})).toEqual(
      expect.arrayContaining(Object.keys(workerSettings([]))),
    );
    expect(source(name)).toContain('...workerEnvironment(config)');
  });
});
