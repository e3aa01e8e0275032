import { BROKER } from './broker-section.ts';
import type { Dashboard, Section } from './dashboard.ts';
import { UID } from './drill-down.ts';
import { GATEWAY } from './gateway-section.ts';
import { OUTCOME_COLORS } from './looks.ts';
import { lines } from './panel.ts';
import { SERVICE } from './variables.ts';

const CHOSEN = '{service=~"$service"}';
const AT = '{{service}} {{instance}}';

const PUBLISHING: Section = {
  title: 'Publishing and the history',
  panels: [
    lines({
      title: 'Publishes by outcome',
      description: 'Anything but confirmed was not accepted, and its caller was told.',
      unit: 'ops',
      colors: OUTCOME_COLORS,
      queries: [
        {
          expr: `sum by (outcome) (rate(jobs_published_total${CHOSEN}[$__rate_interval]))`,
          legend: '{{outcome}}',
        },
      ],
    }),
    lines({
      title: 'Time to confirm',
      description:
        'From sending a message to the broker’s confirm. Slow: the broker’s disk, or an alarm near.',
      unit: 's',
      queries: [0.5, 0.99].map((q) => ({
        expr: `histogram_quantile(${q}, sum by (le) (rate(jobs_publish_confirm_seconds_bucket${CHOSEN}[$__rate_interval])))`,
        legend: `p${q * 100}`,
      })),
    }),
    lines({
      title: 'Held back',
      description:
        'Unconfirmed: sent. Buffered: the broker is away or blocks. Outbox: committed, not published yet.',
      unit: 'short',
      queries: [
        { expr: `sum(jobs_publish_unconfirmed${CHOSEN})`, legend: 'unconfirmed' },
        { expr: `sum(jobs_publish_buffered${CHOSEN})`, legend: 'buffered' },
        { expr: `max(jobs_outbox_pending${CHOSEN})`, legend: 'outbox' },
        { expr: `sum(jobs_history_spooled${CHOSEN})`, legend: 'events of the history' },
      ],
    }),
    lines({
      title: 'Events of the history',
      description: 'Confirmed by the broker, written into the store, and lost.',
      unit: 'ops',
      queries: [
        { expr: `sum(rate(jobs_history_events_total${CHOSEN}[$__rate_interval]))`, legend: 'told' },
        {
          expr: `sum(rate(jobs_tracker_events_total${CHOSEN}[$__rate_interval]))`,
          legend: 'stored',
        },
        {
          expr: `sum(rate(jobs_history_dropped_total${CHOSEN}[$__rate_interval]))`,
          legend: 'dropped',
        },
        {
          expr: `sum(rate(jobs_history_missed_total${CHOSEN}[$__rate_interval]))`,
          legend: 'missed',
        },
      ],
    }),
    lines({
      title: 'Jobs whose state is uncertain',
      description:
        'In the store, since events of them may be missing. The tracker looks for their end; what stays was never told.',
      unit: 'short',
      queries: [{ expr: `max(jobs_tracker_uncertain${CHOSEN})`, legend: 'uncertain' }],
    }),
    lines({
      title: 'Outbox and store, behind by',
      description:
        'Age of the oldest message in the outbox, and how far the store is behind the history.',
      unit: 's',
      badFrom: 60,
      queries: [
        { expr: `max(jobs_outbox_oldest_age_seconds${CHOSEN})`, legend: 'outbox' },
        { expr: `max(jobs_tracker_lag_seconds${CHOSEN})`, legend: 'store' },
      ],
    }),
    lines({
      title: 'Connections of services',
      description:
        'Made again; and, while there are any, down or blocked by an alarm of the broker.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (service) (jobs_broker_connected${CHOSEN} == bool 0) > 0`,
          legend: '{{service}}: down',
        },
        {
          expr: `sum by (service) (jobs_connection_blocked${CHOSEN}) > 0`,
          legend: '{{service}}: blocked',
        },
        {
          expr: `round(sum by (service) (increase(jobs_broker_reconnects_total${CHOSEN}[$__rate_interval])))`,
          legend: '{{service}}: made again',
        },
      ],
    }),
  ],
};

const PROCESSES: Section = {
  title: 'Processes',
  panels: [
    lines({
      title: 'Event loop, busy',
      description:
        'Near 1 a process has no time left: lower its concurrency, run more of it, or move the computing elsewhere.',
      unit: 'percentunit',
      queries: [{ expr: `jobs_event_loop_utilization_ratio${CHOSEN}`, legend: AT }],
    }),
    lines({
      title: 'Event loop, held up (p99)',
      description:
        'A handler that computes without pause. Heartbeats and acks of all jobs in the process wait for it.',
      unit: 's',
      badFrom: 0.25,
      queries: [{ expr: `nodejs_eventloop_lag_p99_seconds${CHOSEN}`, legend: AT }],
    }),
    lines({
      title: 'Memory',
      description: 'Resident. Grows without end: a leak.',
      unit: 'bytes',
      queries: [{ expr: `process_resident_memory_bytes${CHOSEN}`, legend: AT }],
    }),
    lines({
      title: 'CPU',
      description: 'Cores in use.',
      unit: 'short',
      queries: [{ expr: `rate(process_cpu_seconds_total${CHOSEN}[$__rate_interval])`, legend: AT }],
    }),
  ],
};

export const PLATFORM: Dashboard = {
  uid: UID.platform,
  title: 'Warren: platform',
  description: 'RabbitMQ, publishing, the history, the gateway, and the processes themselves.',
  variables: [SERVICE],
  sections: [BROKER, PUBLISHING, GATEWAY, PROCESSES],
};
