import type { QueueRole } from './label-values.ts';
import { METRICS, type MetricName, type MetricSpec } from './metric-table.ts';
import type { Metrics } from './metrics.ts';

/** A queue that handlers of one job type consume. */
export interface ConsumedQueue {
  readonly queue: string;
  readonly jobType: string;
  readonly role: Extract<QueueRole, 'work' | 'suspect'>;
  readonly handlerTimeoutSeconds: number;
  /** Jobs that may wait before somebody is told. */
  readonly depthLimit: number;
  readonly startWithinSeconds: number;
}

/** A queue that only holds messages. */
export interface HoldingQueue {
  readonly queue: string;
  readonly role: Extract<QueueRole, 'retry' | 'dead'>;
}

/**
 * Creates every series of a queue at 0, because `increase()` does not see the first event of a series
 * that is born at 1: the first dead letter would raise no alert. What was counted before stays.
 */
export function initialiseQueueMetrics(
  metrics: Metrics,
  queue: ConsumedQueue | HoldingQueue,
): void {
  metrics.jobs_queue_info.set({ queue: queue.queue, role: queue.role }, 1);
  if (!('jobType' in queue)) return;
  metrics.jobs_handler_timeout_seconds.set({ queue: queue.queue }, queue.handlerTimeoutSeconds);
  metrics.jobs_queue_depth_limit.set({ queue: queue.queue }, queue.depthLimit);
  metrics.jobs_start_within_seconds.set({ queue: queue.queue }, queue.startWithinSeconds);
  createSeries(metrics, { queue: queue.queue });
  createSeries(metrics, { job_type: queue.jobType });
  createSeries(metrics, { queue: queue.queue, job_type: queue.jobType });
}

/** Creates every series of publishing one job type to an exchange at 0; see `initialiseQueueMetrics`. */
export function initialisePublishMetrics(
  metrics: Metrics,
  { exchange, jobType }: { readonly exchange: string; readonly jobType: string },
): void {
  createSeries(metrics, { exchange });
  createSeries(metrics, { exchange, job_type: jobType });
}

/** Creates every series of a broker connection at 0; see `initialiseQueueMetrics`. */
export function initialiseConnectionMetrics(metrics: Metrics, connection: string): void {
  createSeries(metrics, { connection });
}

/** Creates every series of a circuit breaker at 0; see `initialiseQueueMetrics`. */
export function initialiseBreakerMetrics(metrics: Metrics, breaker: string): void {
  createSeries(metrics, { breaker });
}

/** Creates every series of a limit at 0; see `initialiseQueueMetrics`. */
export function initialiseLimiterMetrics(metrics: Metrics, limiter: string): void {
  createSeries(metrics, { limiter });
}

/** What every metric with labels has: the series is made at 0 unless it exists. */
interface WithLabels {
  labels(labels: object): unknown;
}

/** Series of all metrics whose declared labels are exactly those of `declared`. */
function createSeries(metrics: Metrics, declared: Readonly<Record<string, string>>): void {
  for (const [name, spec] of Object.entries(METRICS) as [MetricName, MetricSpec][]) {
    if (spec.startsAbsent || !sameNames(declaredLabels(spec), Object.keys(declared))) continue;
    for (const labels of combinations(spec, declared)) (metrics[name] as WithLabels).labels(labels);
  }
}

const declaredLabels = (spec: MetricSpec): string[] =>
  Object.entries(spec.labels).flatMap(([name, allowed]) =>
    typeof allowed === 'string' ? [name] : [],
  );

const sameNames = (some: string[], others: string[]): boolean =>
  some.length === others.length && some.every((name) => others.includes(name));

function combinations(spec: MetricSpec, declared: Readonly<Record<string, string>>): object[] {
  let sets: Record<string, string>[] = [{ ...declared }];
  for (const [name, allowed] of Object.entries(spec.labels)) {
    if (typeof allowed === 'string') continue;
    sets = sets.flatMap((set) => allowed.map((value) => ({ ...set, [name]: value })));
  }
  return sets;
}
