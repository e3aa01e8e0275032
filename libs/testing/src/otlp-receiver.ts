import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON, a part of it. */
export interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** One request to the collector. */
export interface Export {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly spans: readonly ExportedSpan[];
}

/** Takes traces as a collector of OpenTelemetry does, by OTLP over HTTP. */
export interface TraceCollector {
  readonly url: string;
  readonly exports: readonly Export[];
  stop(): Promise<void>;
}

interface Body {
  resourceSpans: {
    resource: { attributes: { key: string; value: Record<string, unknown> }[] };
    scopeSpans: { spans: ExportedSpan[] }[];
  }[];
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const exports: Export[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Body;
      for (const { resource, scopeSpans } of resourceSpans) {
        const attributes = resource.attributes.map(({ key, value }) => [
          key,
          Object.values(value)[0],
        ]);
        exports.push({
          path: request.url,
          headers: request.headers,
          resource: Object.fromEntries(attributes) as Record<string, unknown>,
          spans: scopeSpans.flatMap(({ spans }) => spans),
        });
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exports,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
