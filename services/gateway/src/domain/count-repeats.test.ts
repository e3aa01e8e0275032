import { anyJob, metricValue, quietTelemetry } from '@warren/testing';
import { expect, it } from 'vitest';
import type { AcceptedJob } from './accept-job.ts';
import { countRepeats } from './count-repeats.ts';

it('counts what was answered with an earlier job, and only that', async () => {
  const { metrics } = quietTelemetry();
  const answers: AcceptedJob[] = [
    { id: 'a' },
    { id: 'a', duplicate: true },
    { id: 'a', duplicate: true, replaced: true },
  ];
  const accept = countRepeats(async () => answers.shift() as AcceptedJob, metrics, [anyJob('a.b')]);
  const hits = () =>
    metricValue(metrics, 'jobs_dedup_hits_total', { job_type: 'a.b', stage: 'enqueue' });
  expect(await hits()).toBe(0);
  for (let n = 0; n < 3; n += 1) await accept({ type: 'a.b', payload: {}, id: 'x' });
  expect(await hits()).toBe(2);
});
