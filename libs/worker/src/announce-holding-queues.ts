import { initialiseQueueMetrics, type Metrics } from '@warren/telemetry';
import { type Names, RETRY_TIERS } from '@warren/topology';

/** Says in the metrics which queues hold retries and dead letters: alerts and dashboards find them by that. */
export function announceHoldingQueues(
  metrics: Metrics,
  names: Names,
  jobTypes: readonly string[],
): void {
  for (const jobType of jobTypes) {
    initialiseQueueMetrics(metrics, { queue: names.deadQueue(jobType), role: 'dead' });
  }
  for (const tier of RETRY_TIERS) {
    initialiseQueueMetrics(metrics, { queue: names.retry(tier), role: 'retry' });
  }
}
