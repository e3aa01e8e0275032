import type { FigureSpec } from '../compare.ts';

/** What `endToEndApart` returns. */
export const APART_FIGURES = {
  rate: { unit: 'jobs/s' },
  cpu: { unit: 's', label: 'CPU seconds of both for 10,000 jobs' },
  rss: { unit: 'MB', label: 'memory of the worker' },
  startUp: { unit: 'ms', label: 'start of the worker' },
} as const satisfies Readonly<Record<string, FigureSpec>>;

/** What `latency` returns. */
export const LATENCY_FIGURES = {
  p50: { unit: 'ms', label: 'p50' },
  p99: { unit: 'ms', label: 'p99' },
  p999: { unit: 'ms', label: 'p99.9' },
} as const satisfies Readonly<Record<string, FigureSpec>>;
