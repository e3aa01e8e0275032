import type { JobDefinition } from '@warren/contracts';
import type { Metrics } from '@warren/telemetry';
import type { AcceptJob } from './accept-job.ts';

/** Accepts jobs, and counts requests that were answered with an earlier job. Series of the types exist from the start. */
export function countRepeats(
  accept: AcceptJob,
  metrics: Metrics,
  jobTypes: readonly JobDefinition[],
): AcceptJob {
  const series = new Map(
    jobTypes.map(({ type }) => [
      type,
      metrics.jobs_dedup_hits_total.labels({ job_type: type, stage: 'enqueue' }),
    ]),
  );
  return async (request) => {
    const job = await accept(request);
    if (job.duplicate) series.get(request.type)?.inc();
    return job;
  };
}
