import { oneOf, wholeNumber } from '../schemas.ts';
import { defineConfig, setting } from '../setting.ts';
import { httpUrl } from '../tracing/tracing-settings.ts';

/** How counts are told: as totals, or as what came since the last time. */
export const TEMPORALITIES = ['cumulative', 'delta', 'lowmemory'] as const;

/**
 * Variables of every service, by the names that OpenTelemetry gave them, besides those that traces have too. Off unless asked
 * for: who has named a collector for traces may have one that takes nothing else.
 */
export const meteringSettings = defineConfig({
  OTEL_METRICS_EXPORTER: setting({
    schema: oneOf(['otlp', 'none']),
    description:
      "`otlp`: OpenTelemetry's messaging metrics are sent, by OTLP over HTTP; they are besides those on `/metrics`",
    default: 'none',
  }),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: setting({
    schema: httpUrl(),
    description:
      'where they are sent to, as a whole; unset: OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/metrics` added, or that of `http://localhost:4318`',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: setting({
    schema: wholeNumber({ min: 100, max: 3_600_000 }),
    description: 'how often, in milliseconds',
    default: '60000',
  }),
  OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: setting({
    schema: oneOf(TEMPORALITIES),
    description:
      '`cumulative`: totals since the start; `delta`: what came since the last time, as some backends ask for it; `lowmemory`: `delta` where that saves memory',
    default: 'cumulative',
  }),
});
