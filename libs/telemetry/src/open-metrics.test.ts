import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMetrics, onCollect } from './metrics.ts';
import { openMetricsText } from './open-metrics.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const OPEN = 'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3';

describe('openMetricsText', () => {
  it('names counters as the format asks, and escapes what it must', () => {
    const text = openMetricsText([
      {
        name: 'a_total',
        help: 'says "a"\nand \\',
        type: 'counter',
        values: [{ labels: { queue: 'q"1' }, value: 2 }],
      },
      { name: 'b', help: 'B', type: 'gauge', values: [{ labels: {}, value: Number.NaN }] },
      {
        name: 'c',
        help: 'C',
        type: 'histogram',
        values: [
          {
            metricName: 'c_bucket',
            labels: { le: '+Inf' },
            value: 1,
            exemplar: { traceId: TRACE, value: 0.25, atMs: 1_800_000_000_500 },
          },
        ],
      },
    ]);
    expect(text.split('\n')).toEqual([
      '# TYPE a counter',
      '# HELP a says \\"a\\"\\nand \\\\',
      'a_total{queue="q\\"1"} 2',
      '# TYPE b gauge',
      '# HELP b B',
      'b NaN',
      '# TYPE c histogram',
      '# HELP c C',
      `c_bucket{le="+Inf"} 1 # {trace_id="${TRACE}"} 0.25 1800000000.5`,
      '# EOF',
      '',
    ]);
  });
});

describe('the exposition', () => {
  const labels = { queue: 'q', job_type: 't', outcome: 'failed' } as const;

  it('reads everything once: some figures are of the time since they were read last', async () => {
    const metrics = createMetrics({ service: 's', version: '1' });
    let reads = 0;
    onCollect(metrics, () => {
      reads += 1;
    });
    for (const accept of [OPEN, 'text/plain']) {
      await metrics.expose(accept);
      // Long enough for the delay of the event loop to have been sampled, every 10 ms.
      await pause(60);
      reads = 0;
      const { text } = await metrics.expose(accept);
      expect(reads).toBe(1);
      expect(text).not.toMatch(/^nodejs_eventloop_lag_mean_seconds NaN$/m);
    }
  });

  it('has exemplars for who asks for OpenMetrics, and is plain text for others', async () => {
    const metrics = createMetrics({ service: 's', version: '1', processMetrics: false });
    const series = metrics.jobs_process_duration_seconds.labels(labels);
    series.observe(0.2);
    const plain = { text: await metrics.text(), contentType: metrics.contentType };
    expect((await metrics.expose(OPEN)).text).not.toContain('trace_id');
    series.observe(0.2, TRACE);
    const open = await metrics.expose(OPEN);
    expect(open.contentType).toMatch(/^application\/openmetrics-text; version=1\.0\.0/);
    expect(open.text).toMatch(
      new RegExp(
        `_bucket\\{queue="q",job_type="t",outcome="failed",le="0\\.25"\\} 2 # \\{trace_id="${TRACE}"\\} 0\\.2 \\d+`,
      ),
    );
    expect(open.text.endsWith('# EOF\n')).toBe(true);
    for (const accept of [undefined, 'text/plain', '*/*']) {
      expect((await metrics.expose(accept)).contentType).toBe(plain.contentType);
    }
  });

  it('has the same series in both formats', async () => {
    const metrics = createMetrics({ service: 's', version: '1' });
    metrics.jobs_process_duration_seconds.labels(labels).observe(0.2, TRACE);
    const seriesOf = (text: string) =>
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#'))
        .map((line) => line.replace(/ # .*/, '').replace(/ [^ ]+$/, ''))
        .sort();
    const { text } = await metrics.expose(OPEN);
    expect(seriesOf(text)).toEqual(seriesOf(await metrics.text()));
  });
});
