import { type Logger, redactUrl, registerMetering, rememberNews } from '@warren/telemetry';
import { withDeadline } from '../deadline.ts';
import type { ConfigOf } from '../setting.ts';
import type { tracingSettings } from '../tracing/tracing-settings.ts';
import { WARREN_VERSION } from '../version.ts';
import type { meteringSettings } from './metering-settings.ts';

/** Settings of OpenTelemetry's metrics; some are those of traces. */
export type MeteringConfig = ConfigOf<typeof meteringSettings> &
  Pick<ConfigOf<typeof tracingSettings>, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SDK_DISABLED'>;

/** OpenTelemetry's metrics of this process on their way to the collector. */
export interface Metering {
  /** Sends the last figures, and ends. Bounded; never rejects: no process stays for its metrics. */
  stop(): Promise<void>;
}

/** A collector that does not answer is not waited for any longer than this. */
const LAST_EXPORT_MS = 1_500;

/** As OpenTelemetry has it: an agent on the same machine. */
const DEFAULT_ENDPOINT = 'http://localhost:4318';

/**
 * Has OpenTelemetry's messaging metrics of this process sent to a collector, where the environment asks for it; else it does
 * nothing, and loads nothing. To be called before clients and workers are made. Where an SDK collects metrics already, such as
 * one that was loaded by `--import`, that one stays.
 */
export async function startMetering(
  service: string,
  config: MeteringConfig,
  logger: Logger,
): Promise<Metering | undefined> {
  if (config.OTEL_SDK_DISABLED || config.OTEL_METRICS_EXPORTER === 'none') return undefined;
  const url = metricsUrl(config);
  const { createSdk } = await import('./sdk.ts');
  const sdk = createSdk({
    service,
    version: WARREN_VERSION,
    url,
    intervalMs: config.OTEL_METRIC_EXPORT_INTERVAL,
    temporality: config.OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE,
  });
  const isNews = rememberNews();
  const unregister = registerMetering({
    ...sdk,
    onProblem: (problem) => {
      if (isNews('metering', problem)) logger.warn({ problem }, 'traces or metrics cannot be sent');
    },
  });
  if (!unregister) {
    await sdk.shutdown();
    logger.warn('OTEL_METRICS_EXPORTER is not used: an SDK of OpenTelemetry is there already');
    return undefined;
  }
  logger.info({ url: redactUrl(url) }, 'sending metrics');
  return {
    async stop() {
      try {
        await withDeadline('the last metrics', LAST_EXPORT_MS, sdk.shutdown());
      } catch (error) {
        logger.warn({ err: error }, 'the last metrics were not sent');
      }
      unregister();
    },
  };
}

function metricsUrl(config: MeteringConfig): string {
  const whole = config.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT;
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT ?? DEFAULT_ENDPOINT;
  return whole ?? `${base.replace(/\/+$/, '')}/v1/metrics`;
}
