import { execFileSync } from 'node:child_process';
import {
  createMetrics,
  initialiseConnectionMetrics,
  initialisePublishMetrics,
  initialiseQueueMetrics,
} from '@warren/telemetry';
import { describe, expect, it } from 'vitest';
import { prometheusTools } from '../support/prometheus-tools.ts';

const tools = prometheusTools();

describe.skipIf(!tools)('what processes serve, as promtool of Prometheus sees it', () => {
  const lint = (text: string) =>
    execFileSync(tools?.promtool ?? '', ['check', 'metrics'], {
      input: text,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  it('is well formed, and named as it should be', async () => {
    const metrics = createMetrics({ service: 'test', version: '1' });
    initialiseConnectionMetrics(metrics, 'publish');
    initialisePublishMetrics(metrics, { exchange: 'jobs', jobType: 'a.b' });
    initialiseQueueMetrics(metrics, {
      queue: 'a.b',
      jobType: 'a.b',
      role: 'work',
      handlerTimeoutSeconds: 30,
      depthLimit: 1_000,
      startWithinSeconds: 60,
    });
    expect(lint(await metrics.text())).toBe('');
  });

  it('is seen to be wrong', () => {
    expect(() => lint('# HELP a_count A.\n# TYPE a_count counter\na_count 1\n')).toThrow(/_total/);
  });
});
