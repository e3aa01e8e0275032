import { quantile, queuesOf, READY } from '../promql.ts';
import type { Dashboard, Section } from './dashboard.ts';
import { UID } from './drill-down.ts';
import { lines, table } from './panel.ts';
import { LOG_LINES } from './search-links.ts';
import { JOB_TYPE } from './variables.ts';

const CHOSEN = '{job_type=~"$job_type"}';

const inLastHour = (metric: string): string =>
  `round(sum by (job_type, queue) (increase(${metric}${CHOSEN}[1h]))) and on (queue) ${queuesOf('work')}`;

const RETRIES: Section = {
  title: 'Retries',
  panels: [
    lines({
      title: 'Attempts that end in a retry',
      description: 'Share by job type. JobRetryStorm opens a ticket from 50 % on.',
      unit: 'percentunit',
      badFrom: 0.5,
      queries: [
        {
          expr: `sum by (job_type) (rate(jobs_retries_scheduled_total${CHOSEN}[$__rate_interval])) / sum by (job_type) (rate(jobs_process_duration_seconds_count${CHOSEN}[$__rate_interval]))`,
          legend: '{{job_type}}',
        },
      ],
    }),
    lines({
      title: 'Retries by error',
      description:
        'dependency: no connection, Retry-After, an open circuit. timeout: too slow. handler: whatever else it threw, also because of an answer that it got.',
      unit: 'ops',
      stacked: true,
      queries: [
        {
          expr: `sum by (error_type) (rate(jobs_retries_scheduled_total${CHOSEN}[$__rate_interval]))`,
          legend: '{{error_type}}',
        },
      ],
    }),
    lines({
      title: 'Waiting in the retry tiers',
      description: 'By tier. They come back by themselves when their time is over.',
      unit: 'short',
      stacked: true,
      queries: [{ expr: `${READY} and on (queue) ${queuesOf('retry')}`, legend: '{{queue}}' }],
    }),
    lines({
      title: 'Attempts of a job until its end, mean',
      description:
        'By outcome. Jobs that succeed after many attempts: something is ill, and retries hide it.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (job_type, outcome) (rate(jobs_attempts_sum${CHOSEN}[$__rate_interval])) / sum by (job_type, outcome) (rate(jobs_attempts_count${CHOSEN}[$__rate_interval])) >= 0`,
          legend: '{{job_type}} {{outcome}}',
        },
      ],
    }),
    lines({
      title: 'Put off by handlers',
      description: 'Snoozes, which spend no attempt.',
      unit: 'ops',
      queries: [
        {
          expr: `sum by (job_type) (rate(jobs_snoozed_total${CHOSEN}[$__rate_interval]))`,
          legend: '{{job_type}}',
        },
      ],
    }),
    lines({
      title: 'Held back by limits',
      description:
        'Times that a job had to wait because its limit was reached, by limit. No attempt is spent.',
      unit: 'ops',
      queries: [
        {
          expr: 'sum by (limiter) (rate(jobs_rate_limited_total[$__rate_interval]))',
          legend: '{{limiter}}',
        },
      ],
    }),
    lines({
      title: 'Waiting for limits, p95',
      description:
        'How long a job that meets its limit waits for it, by limit. Long by intention, or the limit is too low.',
      unit: 's',
      queries: [
        { expr: quantile(0.95, 'jobs_rate_limit_wait_seconds', 'limiter'), legend: '{{limiter}}' },
      ],
    }),
  ],
};

const DEAD: Section = {
  title: 'Dead letters',
  panels: [
    lines({
      title: 'Dead letters by reason',
      description: 'New ones. docs/job-lifecycle.md says what the reasons mean.',
      unit: 'short',
      stacked: true,
      queries: [
        {
          expr: `round(sum by (reason) (increase(jobs_dead_lettered_total${CHOSEN}[$__rate_interval])))`,
          legend: '{{reason}}',
        },
      ],
    }),
    table({
      title: 'By job type and queue, last hour',
      description:
        'Failed attempts that are tried again, and new dead letters. The queue’s own dashboard, a click away, says more.',
      unit: 'short',
      columns: ['job_type', 'queue'],
      opens: { to: 'queue', by: 'queue' },
      queries: [
        { expr: inLastHour('jobs_retries_scheduled_total'), legend: 'Retries' },
        { expr: inLastHour('jobs_dead_lettered_total'), legend: 'Dead letters' },
      ],
    }),
    table({
      title: 'Held now',
      description: 'npx warren dead list shows them, npx warren dead replay puts them back.',
      unit: 'short',
      columns: ['queue'],
      queries: [{ expr: `${READY} and on (queue) ${queuesOf('dead')}`, legend: 'Dead letters' }],
    }),
    lines({
      title: 'Replayed by gateways',
      description:
        'By outcome. Skipped: stays, and its run says why (GET /v1/replays). Failed: its publish was not answered. Replays by the command line are not counted.',
      unit: 'ops',
      queries: [
        {
          expr: 'sum by (outcome) (rate(jobs_replay_total[$__rate_interval]))',
          legend: '{{outcome}}',
        },
      ],
    }),
    lines({
      title: 'Replays under way, no further since',
      description: 'JobReplayStuck opens a ticket from 5 minutes on.',
      unit: 's',
      badFrom: 300,
      queries: [
        {
          expr: '(time() - max by (service, instance, queue) (jobs_replay_last_progress_timestamp_seconds)) and on (service, instance, queue) (jobs_replay_in_progress > 0)',
          legend: '{{queue}} {{instance}}',
        },
      ],
    }),
  ],
};

const CRASHES: Section = {
  title: 'Crashes and repeats',
  panels: [
    lines({
      title: 'Delivered again',
      description: 'After a crash, a lost connection or a deployment.',
      unit: 'ops',
      queries: [
        {
          expr: 'sum by (queue) (rate(jobs_redelivered_total[$__rate_interval]))',
          legend: '{{queue}}',
        },
      ],
    }),
    lines({
      title: 'Suspects',
      description: 'Jobs in hand at two crashes. They run one at a time in queues of their own.',
      unit: 'short',
      queries: [
        {
          expr: 'round(sum by (queue) (increase(jobs_suspects_total[$__rate_interval])))',
          legend: '{{queue}}',
        },
      ],
    }),
    lines({
      title: 'Given back, or settled in vain',
      description:
        'Given back: not started, nothing spent. Late: the channel was gone; failed: on an open one. These two run twice.',
      unit: 'ops',
      queries: [
        { expr: 'sum(rate(jobs_late_settles_total[$__rate_interval]))', legend: 'late' },
        { expr: 'sum(rate(jobs_settle_failures_total[$__rate_interval]))', legend: 'failed' },
        { expr: 'sum(rate(jobs_released_total[$__rate_interval]))', legend: 'given back' },
      ],
    }),
    lines({
      title: 'Repeats recognised',
      description:
        'Enqueue: a request was answered with an earlier job. Consume: the job was done, or ran already. Nothing ran twice.',
      unit: 'ops',
      queries: [
        {
          expr: `sum by (job_type, stage) (rate(jobs_dedup_hits_total${CHOSEN}[$__rate_interval]))`,
          legend: '{{job_type}} {{stage}}',
        },
      ],
    }),
    lines({
      title: 'Moves that had to be repeated',
      description:
        'Retries and dead letters that could not be published at once. The queue is paused meanwhile.',
      unit: 'ops',
      queries: [
        {
          expr: 'sum by (queue) (rate(jobs_move_retries_total[$__rate_interval]))',
          legend: '{{queue}}',
        },
      ],
    }),
  ],
};

const CIRCUITS: Section = {
  title: 'Circuit breakers',
  panels: [
    lines({
      title: 'Circuits that are open',
      description:
        'By breaker, in all processes. What it guards is ill; jobs wait and spend no attempts.',
      unit: 'short',
      badFrom: 1,
      queries: [
        {
          expr: 'sum by (breaker, state) (jobs_circuit_breaker_state{state=~"open|half_open"})',
          legend: '{{breaker}} {{state}}',
        },
      ],
    }),
    lines({
      title: 'Not let through',
      description: 'Calls and deliveries that an open circuit turned away.',
      unit: 'ops',
      queries: [
        {
          expr: 'sum by (breaker) (rate(jobs_circuit_breaker_rejected_total[$__rate_interval]))',
          legend: '{{breaker}}',
        },
      ],
    }),
  ],
};

export const FAILING: Dashboard = {
  uid: UID.failures,
  title: 'Warren: retries and dead letters',
  description: 'What fails, why, how often, and what became of it.',
  variables: [JOB_TYPE],
  sections: [RETRIES, DEAD, CRASHES, CIRCUITS],
  search: {
    logs: `${LOG_LINES} | job_type=~"\${job_type:pipe}"`,
    traces: '{ span.jobs.type =~ "$' + '{job_type:pipe}" }',
  },
};
