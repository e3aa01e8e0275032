import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP has it in JSON, a part of it. */
export interface ExportedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

/** One series of a metric, its attributes by their keys. */
export interface ExportedPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The total of a counter; how often a histogram was fed. */
  readonly count: number;
  /** Upper bounds of a histogram; undefined for a counter. */
  readonly bounds: readonly number[] | undefined;
}

/** A metric that was sent. */
export interface ExportedMetric {
  readonly name: string;
  readonly unit: string;
  /** 1: what came since the last time; 2: the total. */
  readonly temporality: number | undefined;
  readonly points: readonly ExportedPoint[];
}

/** One request to the receiver. */
export interface Export {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly spans: readonly ExportedSpan[];
  readonly metrics: readonly ExportedMetric[];
}

/** Takes traces and metrics as a collector of OpenTelemetry does, by OTLP over HTTP. */
export interface OtlpReceiver {
  readonly url: string;
  readonly exports: readonly Export[];
  stop(): Promise<void>;
}

interface Pair {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Point {
  readonly attributes: readonly Pair[];
  readonly asInt?: number;
  readonly asDouble?: number;
  readonly count?: number;
  readonly explicitBounds?: readonly number[];
}

interface Data {
  readonly aggregationTemporality?: number;
  readonly dataPoints: readonly Point[];
}

interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: Data;
  readonly histogram?: Data;
}

interface Sent {
  readonly resource: { readonly attributes: readonly Pair[] };
  readonly scopeSpans?: readonly { readonly spans: readonly ExportedSpan[] }[];
  readonly scopeMetrics?: readonly { readonly metrics: readonly Metric[] }[];
}

interface Body {
  readonly resourceSpans?: readonly Sent[];
  readonly resourceMetrics?: readonly Sent[];
}

/** @param answers false for one that takes everything and answers nothing */
export async function startOtlpReceiver(answers = true): Promise<OtlpReceiver> {
  const exports: Export[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { resourceSpans, resourceMetrics } = JSON.parse(
        Buffer.concat(chunks).toString(),
      ) as Body;
      for (const sent of resourceSpans ?? resourceMetrics ?? []) {
        const { url: path, headers } = request;
        exports.push({ path, headers, ...readSent(sent) });
      }
      if (answers) response.setHeader('content-type', 'application/json').end('{}');
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

function readSent({ resource, scopeSpans = [], scopeMetrics = [] }: Sent) {
  return {
    resource: byKey(resource.attributes),
    spans: scopeSpans.flatMap(({ spans }) => spans),
    metrics: scopeMetrics.flatMap(({ metrics }) => metrics).map(readMetric),
  };
}

function readMetric({ name, unit, sum, histogram }: Metric): ExportedMetric {
  const data = sum ?? histogram;
  return {
    name,
    unit,
    temporality: data?.aggregationTemporality,
    points: (data?.dataPoints ?? []).map(
      ({ attributes, asInt, asDouble, count, explicitBounds }) => ({
        attributes: byKey(attributes),
        count: Number(count ?? asInt ?? asDouble),
        bounds: explicitBounds,
      }),
    ),
  };
}

function byKey(pairs: readonly Pair[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}
