import type { Exemplar, Sample } from './series.ts';

/** What `OpenMetrics` calls a metric family, as prom-client's registry has it. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly Sample[];
}

export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/**
 * The exposition in OpenMetrics' format, which alone has exemplars. prom-client can write it too, but takes the ending
 * `_total` of a counter's name away for good while it does.
 */
export function openMetricsText(families: readonly MetricFamily[]): string {
  return `${families.map(familyText).join('')}# EOF\n`;
}

function familyText({ name, help, type, values }: MetricFamily): string {
  const family = type === 'counter' ? name.replace(/_total$/, '') : name;
  const lines = [
    `# TYPE ${family} ${type}`,
    `# HELP ${family} ${escaped(help)}`,
    ...values.map((sample) => sampleLine(family, type, sample)),
  ];
  return `${lines.join('\n')}\n`;
}

function sampleLine(
  family: string,
  type: string,
  { metricName, labels, value, exemplar }: Sample,
): string {
  const name = type === 'counter' ? `${family}_total` : (metricName ?? family);
  const line = `${name}${labelsText(labels)} ${numberText(value)}`;
  return exemplar ? `${line} # ${exemplarText(exemplar)}` : line;
}

function labelsText(labels: Sample['labels']): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escaped(String(value))}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function exemplarText({ traceId, value, atMs }: Exemplar): string {
  return `{trace_id="${traceId}"} ${numberText(value)} ${atMs / 1_000}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? '+Inf' : '-Inf';
}

function escaped(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"');
}
