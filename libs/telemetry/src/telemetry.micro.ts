import { createMetrics } from './metrics.ts';
import { isTracing } from './tracing/tracer.ts';

const metrics = createMetrics({ service: 'bench', version: '0' });
const labels = { queue: 'bench.job', job_type: 'bench.job', outcome: 'succeeded' } as const;
const counter = metrics.jobs_completed_total.labels(labels);
const histogram = metrics.jobs_process_duration_seconds.labels(labels);

/** One operation each; run by `npm run bench:micro`. */
export const micro: Readonly<Record<string, () => unknown>> = {
  'count by a kept handle': () => counter.inc(),
  'observe by a kept handle': () => histogram.observe(0.02),
  'count by labels': () => metrics.jobs_completed_total.inc(labels),
  'ask whether spans are collected': () => isTracing(),
};
