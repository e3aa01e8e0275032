import type { DECLARED } from './label-values.ts';
import { METRICS, type MetricSpec } from './metric-table.ts';

const HEAD = `# Metrics

Generated from \`libs/telemetry/src/metric-table.ts\` by \`npm run docs\`.

Every process serves these on \`/metrics\`, with the \`process_*\` and \`nodejs_*\` metrics of prom-client. Units are seconds and bytes. Labels are closed sets: *declared* means the names that the process itself declares. Series of a queue, a job type, an exchange, a connection or a route of the gateway (answered by 2xx or 5xx) exist at 0 before the first event, but for those marked "absent at first". Where Node's \`cluster\` has several processes answer one scrape, counts add up, of times, ages and limits the greatest counts, and shares are averaged: each sends \`metrics.families()\`, and prom-client's \`AggregatorRegistry.aggregate\` puts them together. OpenTelemetry's own metrics of messaging, which are sent to a collector, are in [opentelemetry.md](opentelemetry.md).
`;

/** The text of `docs/metrics.md`. */
export function metricsDoc(): string {
  const sections = Object.entries(METRICS).map(([name, spec]) => section(name, spec));
  return [HEAD, ...sections].join('\n');
}

function section(name: string, spec: MetricSpec): string {
  const kind = spec.startsAbsent ? `${spec.type}, absent at first` : spec.type;
  const lines = [`## ${name}`, '', `${spec.help} (${kind})`];
  const details = [...Object.entries(spec.labels).map(labelLine), ...bucketLine(spec)];
  return [...lines, ...(details.length > 0 ? ['', ...details] : []), ''].join('\n');
}

const labelLine = ([label, allowed]: [string, readonly string[] | typeof DECLARED]): string =>
  `- \`${label}\`: ${typeof allowed === 'string' ? allowed : code(allowed)}`;

const bucketLine = ({ buckets }: MetricSpec): string[] =>
  buckets ? [`- buckets: ${buckets.join(' ')}`] : [];

const code = (values: readonly string[]): string => values.map((value) => `\`${value}\``).join(' ');
