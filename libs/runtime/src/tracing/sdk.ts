import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** OpenTelemetry's SDK, as small as it goes. Only to be imported where traces are on: it takes time and memory to load. */
export function createSdk({
  service,
  version,
  url,
}: {
  readonly service: string;
  readonly version: string;
  readonly url: string;
}) {
  const own = resourceFromAttributes({ 'service.name': service, 'service.version': version });
  // The environment has the last word.
  const told = detectResources({ detectors: [serviceInstanceIdDetector, envDetector] });
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(own).merge(told),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  return {
    provider,
    contextManager: new AsyncLocalStorageContextManager().enable(),
    shutdown: () => provider.shutdown(),
  };
}
