import {
  loadConfig,
  meteringSettings,
  startMetering,
  startTracing,
  tracingSettings,
} from '@warren/runtime';
import { type Logger, METRICS, type Metrics } from '@warren/telemetry';

/** What a process tells of its work, besides the history; plain data. Without it: what it serves on `/metrics`. */
export interface TelemetrySpec {
  /** Whether it counts and times its work for `/metrics`. */
  readonly metrics: boolean;
  /** Where OpenTelemetry's metrics go to, unless only traces do, and its spans where `traces` says which part of them is kept; undefined: nowhere. */
  readonly collector?: string;
  readonly traces?: number;
  readonly onlyTraces?: true;
}

/** Often, so that exports are a part of what is measured. */
const EXPORT_MS = 1_000;

/** Sends what is to be sent, as a service does that is told so by its environment. To be called before anything connects. */
export async function startTelemetry(spec: TelemetrySpec, logger: Logger): Promise<void> {
  if (spec.collector === undefined) return;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: spec.collector,
    OTEL_METRICS_EXPORTER: spec.onlyTraces ? 'none' : 'otlp',
    OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_MS),
    OTEL_TRACES_EXPORTER: spec.traces === undefined ? 'none' : 'otlp',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: String(spec.traces ?? 0),
  };
  // The SDK reads some of them by itself.
  Object.assign(process.env, env);
  const config = loadConfig({ ...tracingSettings, ...meteringSettings }, env);
  await startTracing('bench', config, logger);
  await startMetering('bench', config, logger);
}

/** Metrics that count nothing. */
export function muted(metrics: Metrics): Metrics {
  const nothing = () => {};
  const series = { inc: nothing, dec: nothing, set: nothing, observe: nothing, remove: nothing };
  const labelled = { ...series, labels: () => series };
  const all = Object.keys(METRICS).map((name) => [name, labelled]);
  return Object.assign(metrics, Object.fromEntries(all) as Partial<Metrics>);
}
