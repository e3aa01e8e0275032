/** A series that Prometheus works out by itself, so that a month of it is a single one to read. */
export interface Recording {
  readonly record: string;
  readonly expr: string;
}

const ENDS = 'outcome=~"succeeded|dead_lettered"';

/** How many jobs an objective is about, and how many of them missed it; a second, over five minutes, of all queues. */
export const RECORDINGS: readonly Recording[] = [
  { record: 'warren:starts:rate5m', expr: 'sum(rate(jobs_queue_wait_seconds_count[5m]))' },
  { record: 'warren:late_starts:rate5m', expr: 'sum(rate(jobs_started_late_total[5m]))' },
  { record: 'warren:ends:rate5m', expr: `sum(rate(jobs_completed_total{${ENDS}}[5m]))` },
  {
    record: 'warren:dead_ends:rate5m',
    expr: 'sum(rate(jobs_completed_total{outcome="dead_lettered"}[5m]))',
  },
];
