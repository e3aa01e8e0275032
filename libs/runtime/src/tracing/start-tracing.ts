import { type Logger, redactUrl, registerTracing, rememberNews } from '@warren/telemetry';
import { withDeadline } from '../deadline.ts';
import type { ConfigOf } from '../setting.ts';
import { WARREN_VERSION } from '../version.ts';
import type { tracingSettings } from './tracing-settings.ts';

export type TracingConfig = ConfigOf<typeof tracingSettings>;

/** Spans of this process on their way to the collector. */
export interface Tracing {
  /** Sends what is left, and ends. Bounded; never rejects: no process stays for its spans. */
  stop(): Promise<void>;
}

/** A collector that does not answer is not waited for any longer than this. */
const LAST_EXPORT_MS = 1_500;

/**
 * Has the spans of this process sent to the collector that the environment names. Without one it does nothing, and loads
 * nothing. Where an SDK is registered already, such as one that was loaded by `--import`, that one stays.
 */
export async function startTracing(
  service: string,
  config: TracingConfig,
  logger: Logger,
): Promise<Tracing | undefined> {
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? tracesUrl(config);
  const isOff = config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none';
  if (url === undefined || isOff) return undefined;
  const { createSdk } = await import('./sdk.ts');
  const followsParent = config.OTEL_TRACES_SAMPLER.startsWith('parentbased_');
  const sdk = createSdk({ service, version: WARREN_VERSION, url, followsParent });
  const isNews = rememberNews();
  const unregister = registerTracing({
    ...sdk,
    onProblem: (problem) => {
      if (isNews('tracing', problem)) logger.warn({ problem }, 'traces or metrics cannot be sent');
    },
  });
  if (!unregister) {
    await sdk.shutdown();
    logger.warn(
      'OTEL_EXPORTER_OTLP_ENDPOINT is not used: an SDK of OpenTelemetry is there already',
    );
    return undefined;
  }
  logger.info({ url: redactUrl(url) }, 'sending traces');
  return {
    async stop() {
      try {
        await withDeadline('the last traces', LAST_EXPORT_MS, sdk.shutdown());
      } catch (error) {
        logger.warn({ err: error }, 'the last traces were not sent');
      }
      unregister();
    },
  };
}

function tracesUrl({ OTEL_EXPORTER_OTLP_ENDPOINT: base }: TracingConfig): string | undefined {
  return base && `${base.replace(/\/+$/, '')}/v1/traces`;
}
