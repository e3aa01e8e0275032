import type { Attributes } from '@opentelemetry/api';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  type MetricData,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { registerMetering } from '@warren/telemetry';

/** One series of a metric. */
export interface SeenPoint {
  readonly attributes: Attributes;
  /** The total of a counter; how often a histogram was fed. */
  readonly count: number;
  /** All that a histogram was fed with, added up; absent for a counter. */
  readonly sum?: number | undefined;
  /** Upper bounds of a histogram; absent for a counter. */
  readonly buckets?: readonly number[];
}

/** OpenTelemetry's metrics of this process, from `collectMetrics` on. */
export interface CollectedMetrics {
  /** A metric as it stands; undefined before its first series. */
  read(name: string): Promise<{ unit: string; points: SeenPoint[] } | undefined>;
  /** Collects no more. */
  end(): Promise<void>;
}

/** Collects OpenTelemetry's metrics of this process in memory. One test at a time, before clients and workers are made. */
export function collectMetrics(): CollectedMetrics {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  const onProblem = (problem: string) => process.emitWarning(problem);
  const unregister = registerMetering({ provider, onProblem });
  if (!unregister) throw new Error('metrics are collected already');
  return {
    async read(name) {
      exporter.reset();
      await provider.forceFlush();
      const all = exporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics);
      const found = all.find(({ descriptor }) => descriptor.name === name);
      return found && { unit: found.descriptor.unit, points: pointsOf(found) };
    },
    async end() {
      unregister();
      await provider.shutdown();
    },
  };
}

function pointsOf(metric: MetricData): SeenPoint[] {
  switch (metric.dataPointType) {
    case DataPointType.SUM:
      return metric.dataPoints.map(({ attributes, value }) => ({ attributes, count: value }));
    case DataPointType.HISTOGRAM:
      return metric.dataPoints.map(({ attributes, value: { count, sum, buckets } }) => ({
        attributes,
        count,
        sum,
        buckets: buckets.boundaries,
      }));
    default:
      throw new TypeError(`${metric.descriptor.name} is of another kind`);
  }
}
