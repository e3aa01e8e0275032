import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyHttpOptions,
  createOtlpHttpExportDelegate,
} from '@opentelemetry/otlp-exporter-base/node-http';
import {
  JsonMetricsSerializer,
  MetricsExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer';
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { resourceOf, type Sender } from '../tracing/resource.ts';
import type { TEMPORALITIES } from './metering-settings.ts';

export type Temporality = (typeof TEMPORALITIES)[number];

export interface MeteringSdkOptions extends Sender {
  readonly url: string;
  readonly intervalMs: number;
  readonly temporality: Temporality;
}

/**
 * OpenTelemetry's SDK for metrics, as small as it goes. Only to be imported where they are on: it takes time and memory to load.
 * An export that is not answered is given up: totals lose nothing by it, the next one tells them.
 */
export function createSdk({ url, intervalMs, temporality, ...sender }: MeteringSdkOptions) {
  const reader = new PeriodicExportingMetricReader({
    exporter: new OtlpMetricExporter(url, temporality),
    exportIntervalMillis: intervalMs,
  });
  const provider = new MeterProvider({ resource: resourceOf(sender), readers: [reader] });
  return { provider, shutdown: () => provider.shutdown() };
}

/** JSON over HTTP, of the same parts that the exporter of spans is made of. They read timeout, headers and certificates. */
class OtlpMetricExporter extends OTLPExporterBase<ResourceMetrics> implements PushMetricExporter {
  readonly #temporality: Temporality;

  constructor(url: string, temporality: Temporality) {
    const contentType = { 'Content-Type': 'application/json' };
    super(
      createOtlpHttpExportDelegate(
        convertLegacyHttpOptions({ url }, 'METRICS', 'v1/metrics', contentType),
        JsonMetricsSerializer,
        'otlp_http_metric_exporter',
        MetricsExporterMetricsHelper,
        undefined,
      ),
    );
    this.#temporality = temporality;
  }

  selectAggregationTemporality(instrument: InstrumentType): AggregationTemporality {
    return DELTA[this.#temporality].has(instrument)
      ? AggregationTemporality.DELTA
      : AggregationTemporality.CUMULATIVE;
  }
}

/** What goes up and down is told as it stands, whatever is preferred. */
const SYNCHRONOUS = [InstrumentType.COUNTER, InstrumentType.HISTOGRAM];

const DELTA: Readonly<Record<Temporality, ReadonlySet<InstrumentType>>> = {
  cumulative: new Set(),
  delta: new Set([...SYNCHRONOUS, InstrumentType.OBSERVABLE_COUNTER]),
  lowmemory: new Set(SYNCHRONOUS),
};
