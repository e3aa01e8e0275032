import {
  deadLetterRatio,
  lateRatio,
  quantile,
  queuesOf,
  READY,
  SERVICE_MISSING,
} from '../promql.ts';
import type { Dashboard, Section } from './dashboard.ts';
import { UID } from './drill-down.ts';
import { OUTCOME_COLORS } from './looks.ts';
import { OBJECTIVES, START_OBJECTIVE, SUCCESS_OBJECTIVE } from './objectives.ts';
import { lines, stat, table } from './panel.ts';

const waiting = (role: 'work' | 'retry' | 'dead'): string =>
  `sum(${READY} and on (queue) ${queuesOf(role)})`;

/** Told by Prometheus. The watchdog always fires, and its severity is neither. */
const FIRING = 'ALERTS{alertstate="firing", severity=~"page|ticket"}';

/** Shares are NaN while nothing happens; `>= 0` leaves those out. */
const NOW: Section = {
  title: 'Now',
  panels: [
    stat({
      title: 'Alerts firing',
      description: 'Pages and tickets, as Prometheus has them. A dash: it evaluates no rules.',
      unit: 'short',
      expr: `count(${FIRING}) or 0 * max(ALERTS{alertname="JobAlertingWatchdog"})`,
      badFrom: 1,
      width: 3,
    }),
    stat({
      title: 'Started in time',
      description:
        'Share of jobs that started as soon as their type asks for, in the last hour. The goal is 99 %.',
      unit: 'percentunit',
      expr: '1 - sum(rate(jobs_started_late_total[1h])) / sum(rate(jobs_queue_wait_seconds_count[1h])) >= 0',
      badBelow: 0.99,
      width: 3,
    }),
    stat({
      title: 'Succeeded',
      description:
        'Share of ended jobs that succeeded rather than became dead letters, in the last hour.',
      unit: 'percentunit',
      expr: 'sum(rate(jobs_completed_total{outcome="succeeded"}[1h])) / sum(rate(jobs_completed_total{outcome=~"succeeded|dead_lettered"}[1h])) >= 0',
      badBelow: 0.95,
      width: 3,
    }),
    stat({
      title: 'Waiting',
      description: 'Jobs in work queues that could start now.',
      unit: 'short',
      expr: waiting('work'),
      width: 3,
    }),
    stat({
      title: 'Running',
      description: 'Deliveries started and not settled.',
      unit: 'short',
      expr: 'sum(jobs_in_flight)',
      width: 3,
    }),
    stat({
      title: 'Waiting for a retry',
      description: 'Jobs in the retry tiers: failed attempts, delays and snoozes.',
      unit: 'short',
      expr: waiting('retry'),
      opens: { to: 'failures' },
      width: 3,
    }),
    stat({
      title: 'Dead letters',
      description: 'Held until somebody looks: npx warren dead list.',
      unit: 'short',
      expr: waiting('dead'),
      badFrom: 1,
      opens: { to: 'failures' },
      width: 3,
    }),
    stat({
      title: 'Services down',
      description: 'Processes that do not answer the scrape, and services of which none is there.',
      unit: 'short',
      expr: `sum(up{job="warren"} == bool 0) + (count(${SERVICE_MISSING}) or vector(0))`,
      badFrom: 1,
      opens: { to: 'platform' },
      width: 3,
    }),
  ],
};

const WORST: Section = {
  title: 'Worst first',
  panels: [
    table({
      title: 'Alerts firing, by name',
      description:
        'Each name is a section of docs/runbook.md: what it means, where to look, what to do.',
      unit: 's',
      width: 9,
      columns: ['severity', 'alertname', 'about'],
      sortedBy: 'severity',
      queries: [
        {
          expr: `max by (severity, alertname, about) (label_join((time() - ALERTS_FOR_STATE) and ignoring (alertstate) ${FIRING}, "about", " ", "service", "queue", "job_type", "breaker"))`,
          legend: 'For',
        },
      ],
    }),
    table({
      title: 'Dead letters by job type, last hour',
      description:
        'Share of ended jobs that became dead letters. JobFailureRatioHigh pages from 5 % on.',
      unit: 'percentunit',
      width: 5,
      columns: ['job_type'],
      opens: { to: 'failures', by: 'job_type' },
      queries: [{ expr: `${deadLetterRatio('1h')} >= 0`, legend: 'Share' }],
    }),
    table({
      title: 'Late starts by queue, last hour',
      description:
        'Share of jobs that started later than their type asks for. JobStartsLateFast pages from 14.4 % on.',
      unit: 'percentunit',
      width: 5,
      columns: ['queue'],
      opens: { to: 'queue', by: 'queue' },
      queries: [{ expr: `${lateRatio('1h')} >= 0`, legend: 'Share' }],
    }),
    table({
      title: 'Retries by error, last hour',
      description: 'Failed attempts that are tried again.',
      unit: 'short',
      width: 5,
      columns: ['job_type', 'error_type'],
      opens: { to: 'failures', by: 'job_type' },
      queries: [
        {
          expr: 'topk(20, round(sum by (job_type, error_type) (increase(jobs_retries_scheduled_total[1h]))) > 0)',
          legend: 'Retries',
        },
      ],
    }),
  ],
};

const FLOW: Section = {
  title: 'Flow',
  panels: [
    lines({
      title: 'Published and ended',
      description:
        'Ended below published for long means that queues grow: add workers, or look at what makes jobs slow.',
      unit: 'ops',
      colors: OUTCOME_COLORS,
      queries: [
        {
          expr: 'sum(rate(jobs_published_total{outcome="confirmed"}[$__rate_interval]))',
          legend: 'published',
        },
        {
          expr: 'sum by (outcome) (rate(jobs_completed_total[$__rate_interval]))',
          legend: '{{outcome}}',
        },
      ],
    }),
    lines({
      title: 'Waiting, by queue',
      description:
        'Jobs in work queues that could start now. The dashboard of one queue, a click away, says why.',
      unit: 'short',
      opens: { to: 'queue', by: 'queue' },
      queries: [{ expr: `${READY} and on (queue) ${queuesOf('work')}`, legend: '{{queue}}' }],
    }),
    lines({
      title: 'Time to start',
      description:
        'From when a job could have started to when it did, delays and backoff excluded. What is too late is for each job type to say.',
      unit: 's',
      queries: [0.5, 0.95, 0.99].map((q) => ({
        expr: `histogram_quantile(${q}, sum by (le) (rate(jobs_queue_wait_seconds_bucket[$__rate_interval])))`,
        legend: `p${q * 100}`,
      })),
    }),
    lines({
      title: 'Time to end, p95 by job type',
      description: 'From the first publish to the end, retries included.',
      unit: 's',
      opens: { to: 'failures', by: 'job_type' },
      queries: [
        { expr: quantile(0.95, 'jobs_end_to_end_seconds', 'job_type'), legend: '{{job_type}}' },
      ],
    }),
  ],
};

export const OVERVIEW: Dashboard = {
  uid: UID.overview,
  title: 'Warren: overview',
  description: 'Whether jobs start in time and succeed, and where they do not.',
  variables: [],
  choices: [START_OBJECTIVE, SUCCESS_OBJECTIVE],
  sections: [NOW, WORST, FLOW, OBJECTIVES],
};
