import { performance } from 'node:perf_hooks';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createMetric } from './create-metric.ts';
import { METRICS, type MetricName } from './metric-table.ts';
import type { MetricOf } from './metric-types.ts';
import { type MetricFamily, OPEN_METRICS_TYPE, openMetricsText } from './open-metrics.ts';

/** All metrics of one process, by name. Instances share nothing: several may live in one process. */
export type Metrics = { readonly [Name in MetricName]: MetricOf<Name> } & {
  /** The exposition text. Reads the gauges given to `onCollect` first; never rejects because of one. */
  text(): Promise<string>;
  /** The `Content-Type` of `text()`; Prometheus 3 fails a scrape without it. */
  readonly contentType: string;
  /** What a scrape gets: the text, or OpenMetrics, which may have exemplars, where `accept` allows it. */
  expose(accept: string | undefined): Promise<Exposition>;
  /** The same as data: what a process of Node's `cluster` sends to the one that answers the scrape. */
  families(): Promise<readonly MetricFamily[]>;
};

/** A scrape's answer. */
export interface Exposition {
  readonly text: string;
  readonly contentType: string;
}

export interface MetricsOptions {
  /** Names the process in `jobs_build_info`. */
  readonly service: string;
  readonly version: string;
  /** Whether to add `process_*` and `nodejs_*`. Default true; tests can do without their observers. */
  readonly processMetrics?: boolean;
}

const collectorsOf = new WeakMap<Metrics, Set<() => void>>();

/** Creates all metrics of the table in a registry of their own. */
export function createMetrics({
  service,
  version,
  processMetrics = true,
}: MetricsOptions): Metrics {
  const registry = new Registry();
  const collectors = new Set<() => void>();
  const byName = Object.fromEntries(
    Object.entries(METRICS).map(([name, spec]) => {
      const onOverflow = () => metrics.jobs_metrics_overflow_total.inc({ metric: name });
      return [name, createMetric(name, spec, registry, onOverflow)];
    }),
  ) as unknown as Metrics;
  const runCollectors = () => {
    for (const collect of collectors) runCollector(metrics, collect);
  };
  const metrics: Metrics = Object.assign(byName, {
    contentType: registry.contentType,
    text: async () => {
      runCollectors();
      return registry.metrics();
    },
    expose: async (accept: string | undefined) => {
      if (!accept?.includes('application/openmetrics-text')) {
        return { text: await metrics.text(), contentType: metrics.contentType };
      }
      return { text: openMetricsText(await metrics.families()), contentType: OPEN_METRICS_TYPE };
    },
    families: async () => {
      // Read once: what the event loop did is told since it was read last.
      runCollectors();
      return (await registry.getMetricsAsJSON()) as unknown as MetricFamily[];
    },
  });
  collectorsOf.set(metrics, collectors);
  metrics.jobs_build_info.set({ service, version, node_version: process.versions.node }, 1);
  if (processMetrics) addProcessMetrics(metrics, registry);
  return metrics;
}

/**
 * Runs `collect` before each scrape, to set gauges that are cheaper read than kept.
 * One that throws is counted in `jobs_collect_failures_total` and does not stop the scrape.
 * @returns a function that ends it
 */
export function onCollect(metrics: Metrics, collect: () => void): () => void {
  const collectors = collectorsOf.get(metrics);
  if (!collectors) throw new TypeError('onCollect: metrics must come from createMetrics');
  collectors.add(collect);
  return () => void collectors.delete(collect);
}

function runCollector(metrics: Metrics, collect: () => void): void {
  try {
    collect();
  } catch {
    metrics.jobs_collect_failures_total.inc();
  }
}

/** Gauges that are named like counters; the same figures come by type from their siblings. */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

function addProcessMetrics(metrics: Metrics, registry: Registry): void {
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  let last = performance.eventLoopUtilization();
  onCollect(metrics, () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    metrics.jobs_event_loop_utilization_ratio.set(utilization);
  });
}
