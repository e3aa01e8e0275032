import { HEAD_AGE_BOUND, quantile } from '../promql.ts';
import type { Dashboard, Section } from './dashboard.ts';
import { UID } from './drill-down.ts';
import { OUTCOME_COLORS } from './looks.ts';
import { heatmap, lines, stat } from './panel.ts';
import { LOG_LINES } from './search-links.ts';
import { QUEUE } from './variables.ts';

const ONE = '{queue="$queue"}';
const ready = `max(rabbitmq_detailed_queue_messages_ready${ONE})`;
const ended = `sum(rate(jobs_completed_total${ONE}[10m]))`;

const NOW: Section = {
  title: 'Now',
  panels: [
    stat({
      title: 'Waiting',
      description: 'Jobs that could start now.',
      unit: 'short',
      expr: ready,
    }),
    stat({
      title: 'Consumers',
      description: 'As the broker counts them. 0 while jobs wait: nothing handles this job type.',
      unit: 'short',
      expr: `max(rabbitmq_detailed_queue_consumers${ONE})`,
      badBelow: 1,
    }),
    stat({
      title: 'Oldest waits at most',
      description:
        'No waiting job can have waited longer. Means something only while jobs wait; too much after the queue was idle. JobHeadOfQueueOld opens a ticket from five times on what its job type asks for.',
      unit: 's',
      expr: `max((${HEAD_AGE_BOUND}) and on (queue) rabbitmq_detailed_queue_messages_ready${ONE} > 0) or vector(0)`,
    }),
    stat({
      title: 'Time to empty',
      description:
        'At the rate of the last ten minutes; infinite when none ended. JobQueueSlowToDrain opens a ticket from thirty times on what its job type asks for.',
      unit: 's',
      expr: `((${ready} > 0) / ${ended}) or vector(0)`,
    }),
    stat({
      title: 'Oldest run',
      description:
        'Age of the handler that has run longest. Beyond its timeout it ignores its abort signal.',
      unit: 's',
      expr: `max(jobs_oldest_in_flight_seconds${ONE})`,
    }),
    stat({
      title: 'Timeout',
      description: 'What a handler of this queue may take.',
      unit: 's',
      expr: `max(jobs_handler_timeout_seconds${ONE})`,
    }),
  ],
};

const WAITING: Section = {
  title: 'Waiting',
  panels: [
    lines({
      title: 'Messages',
      description:
        'Ready: could be delivered. Unacknowledged: at a worker, running or prefetched. Limit: how many may be ready, as their type says.',
      unit: 'short',
      queries: [
        { expr: ready, legend: 'ready' },
        { expr: `max(rabbitmq_detailed_queue_messages_unacked${ONE})`, legend: 'unacknowledged' },
        { expr: `max(jobs_queue_depth_limit${ONE})`, legend: 'limit' },
      ],
    }),
    lines({
      exemplars: true,
      title: 'Time to start',
      description:
        'From when a job could have started to when it did, delays and backoff excluded. Limit: how soon it should, as its type says.',
      unit: 's',
      queries: [
        ...[0.5, 0.95, 0.99].map((q) => ({
          expr: quantile(q, 'jobs_queue_wait_seconds', 'queue', ONE),
          legend: `p${q * 100}`,
        })),
        { expr: `max(jobs_start_within_seconds${ONE})`, legend: 'limit' },
      ],
    }),
  ],
};

const RUNNING: Section = {
  title: 'Running',
  panels: [
    lines({
      title: 'Runs',
      description: 'Runs of handlers by how they ended.',
      unit: 'ops',
      stacked: true,
      colors: OUTCOME_COLORS,
      queries: [
        {
          expr: `sum by (outcome) (rate(jobs_process_duration_seconds_count${ONE}[$__rate_interval]))`,
          legend: '{{outcome}}',
        },
      ],
    }),
    heatmap({
      exemplars: true,
      title: 'Duration of runs',
      description:
        'Two bands speak of two kinds of jobs, or of a dependency that is slow at times.',
      unit: 's',
      histogram: 'jobs_process_duration_seconds',
      selector: ONE,
    }),
    lines({
      title: 'In hand',
      description:
        'All slots used while jobs wait: more concurrency or more workers help, if what they call bears it.',
      unit: 'short',
      queries: [
        { expr: `sum(jobs_in_flight${ONE})`, legend: 'running' },
        { expr: `sum(jobs_concurrency${ONE})`, legend: 'slots' },
        { expr: `sum(jobs_prefetched${ONE})`, legend: 'prefetched' },
        { expr: `sum(jobs_consumer_prefetch${ONE})`, legend: 'prefetch limit' },
        { expr: `sum(jobs_abandoned_handlers${ONE})`, legend: 'abandoned' },
      ],
    }),
    lines({
      title: 'Once, and long',
      description:
        'Claims of jobs that run once only, by what came of them, and long jobs that are in the store. Lost: not renewed in time. Expired for long: JobLeasesExpired opens a ticket.',
      unit: 'short',
      queries: [
        {
          expr: `round(sum by (outcome) (increase(jobs_once_claims_total${ONE}[$__rate_interval])))`,
          legend: 'claims: {{outcome}}',
        },
        { expr: `max by (state) (jobs_leases_kept${ONE})`, legend: 'leases: {{state}}' },
      ],
    }),
    lines({
      title: 'Paused',
      description:
        'Consumers that take nothing, by reason: moves that fail, an operator, an open circuit, a limit, a shutdown.',
      unit: 'short',
      queries: [{ expr: `sum by (reason) (jobs_consumer_paused${ONE})`, legend: '{{reason}}' }],
    }),
  ],
};

const FAILING: Section = {
  title: 'Failing',
  panels: [
    lines({
      title: 'Retries by error',
      description: 'Failed attempts that are tried again.',
      unit: 'ops',
      stacked: true,
      queries: [
        {
          expr: `sum by (error_type) (rate(jobs_retries_scheduled_total${ONE}[$__rate_interval]))`,
          legend: '{{error_type}}',
        },
      ],
    }),
    lines({
      title: 'Dead letters by reason',
      description: 'npx warren dead list shows them with their errors.',
      unit: 'short',
      stacked: true,
      queries: [
        {
          expr: `round(sum by (reason) (increase(jobs_dead_lettered_total${ONE}[$__rate_interval])))`,
          legend: '{{reason}}',
        },
      ],
    }),
  ],
};

export const ONE_QUEUE: Dashboard = {
  uid: UID.queue,
  title: 'Warren: one queue',
  description: 'Why jobs of one queue wait, run long or fail.',
  variables: [QUEUE],
  sections: [NOW, WAITING, RUNNING, FAILING],
  search: {
    logs: `${LOG_LINES} | queue="\${queue}"`,
    traces: `{ span.messaging.destination.name =~ "(.*:)?\${queue}" }`,
  },
};
