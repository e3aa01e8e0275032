import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { resourceOf, type Sender } from './resource.ts';

/** OpenTelemetry's SDK, as small as it goes. Only to be imported where traces are on: it takes time and memory to load. */
export function createSdk({
  url,
  followsParent,
  ...sender
}: Sender & { readonly url: string; readonly followsParent: boolean }) {
  const provider = new BasicTracerProvider({
    resource: resourceOf(sender),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  return {
    provider,
    // The samplers that the settings take decide by trace ids and parents alone.
    sampling: { followsParent, readsSpans: false },
    contextManager: new AsyncLocalStorageContextManager().enable(),
    shutdown: () => provider.shutdown(),
  };
}
