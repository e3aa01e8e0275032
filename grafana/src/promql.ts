/**
 * Parts of PromQL expressions. Broker figures are taken by `max by (queue)`, so that a cluster of which every node is
 * scraped gives one row per queue; what workers declare is remembered for a day, so that a dead worker does not
 * silence the alerts about its own queue.
 */

/** Jobs that wait in a queue and could be delivered now. */
export const READY = 'max by (queue) (rabbitmq_detailed_queue_messages_ready)';

/** Consumers of a queue, as the broker counts them. */
export const CONSUMERS = 'max by (queue) (rabbitmq_detailed_queue_consumers)';

/** Seconds that a handler of this queue may take. */
export const HANDLER_TIMEOUT = 'max by (queue) (last_over_time(jobs_handler_timeout_seconds[1d]))';

/** What is declared now; where nobody does, what was. By this, a limit that is lowered counts at once. */
const declared = (metric: string): string =>
  `(max by (queue) (${metric}) or max by (queue) (last_over_time(${metric}[1d])))`;

/** Jobs that may wait in a queue, as their type says. */
export const DEPTH_LIMIT = declared('jobs_queue_depth_limit');

/** Seconds within which jobs of a queue should start, as their type says. */
export const START_WITHIN = declared('jobs_start_within_seconds');

/** Age of the run that started longest ago, in seconds; 0 when none runs. */
export const OLDEST_RUN = 'max by (queue) (jobs_oldest_in_flight_seconds)';

/**
 * No job that waits in a queue can have waited longer, in seconds: it was ready after the one that started last.
 * Means something only while jobs are ready, and too much after the queue was idle.
 */
export const HEAD_AGE_BOUND =
  'time() - max by (queue) (last_over_time(jobs_last_started_enqueued_timestamp_seconds[1d]))';

/**
 * Services of which no process is among what is scraped, one that was there within a day or that `warren_service_expected`
 * names: where targets are found by name, what is gone is no target any more, and nothing is down.
 */
export const SERVICE_MISSING =
  '(group by (service) (last_over_time(up{job="warren"}[1d])) or group by (service) (warren_service_expected)) unless on (service) group by (service) (up{job="warren"})';

type Role = 'work' | 'suspect' | 'retry' | 'dead';

/** The queues with this role; for `and on (queue)`. */
export const queuesOf = (role: Role): string =>
  `max by (queue) (last_over_time(jobs_queue_info{role="${role}"}[1d]))`;

/** Queues that are paused by somebody, or by an open circuit, which has an alert of its own; for `unless on (queue)`. */
export const PAUSED_ON_PURPOSE =
  '(max by (queue) (jobs_consumer_paused{reason=~"operator|breaker"}) == 1)';

/** The share of jobs, 0 to 1, that started later than their type allows, by these labels. */
export const lateRatio = (window: string, by = 'queue'): string =>
  `sum by (${by}) (rate(jobs_started_late_total[${window}]))` +
  ` / sum by (${by}) (rate(jobs_queue_wait_seconds_count[${window}]))`;

/** The share of ended jobs, 0 to 1, that ended as dead letters, by job type. */
export const deadLetterRatio = (window: string): string =>
  'sum by (job_type) (rate(jobs_completed_total{outcome="dead_lettered"}' +
  `[${window}])) / sum by (job_type) (rate(jobs_completed_total{outcome=~"succeeded|dead_lettered"}[${window}]))`;

/** A quantile of a histogram's rate over Grafana's interval, by these labels. */
export const quantile = (q: number, histogram: string, by: string, selector = ''): string =>
  `histogram_quantile(${q}, sum by (le, ${by}) (rate(${histogram}_bucket${selector}[$__rate_interval])))`;
