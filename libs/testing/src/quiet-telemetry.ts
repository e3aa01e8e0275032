import { createLogger, createMetrics, type Logger, type Metrics } from '@warren/telemetry';

/** A logger that keeps its lines for the test to read, and metrics of its own. */
export function quietTelemetry(service = 'test'): {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lines: readonly Record<string, unknown>[];
} {
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  return {
    logger: createLogger({ service, level: 'debug', destination }),
    metrics: createMetrics({ service, version: 'test', processMetrics: false }),
    lines,
  };
}

/** The value of one series, such as `jobs_completed_total{queue="q",…}`: labels in any order, others ignored. */
export async function metricValue(
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  const text = await metrics.text();
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}
