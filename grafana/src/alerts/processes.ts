import { SERVICE_MISSING } from '../promql.ts';
import type { AlertGroup } from './alert.ts';

/** Its series are born with the first overflow, which `increase` does not see. An overflow lasts until a restart. */
const OVERFLOWS = 'sum by (service, instance) (jobs_metrics_overflow_total) > 0';
const UNREAD = 'sum by (service, instance) (increase(jobs_collect_failures_total[1h])) > 0';

/** Whether the processes are well. */
export const PROCESSES: AlertGroup = {
  name: 'warren-processes',
  alerts: [
    {
      name: 'JobServiceDown',
      severity: 'ticket',
      expr: 'up{job="warren"} == 0',
      for: '2m',
      summary: '{service} at {instance} does not answer the scrape',
    },
    {
      name: 'JobServiceMissing',
      severity: 'ticket',
      expr: SERVICE_MISSING,
      for: '2m',
      summary: '{service}: none of its processes is found to be scraped',
    },
    {
      name: 'JobServiceDisconnected',
      severity: 'ticket',
      expr: 'max by (service, instance, connection) (jobs_broker_connected) == 0',
      for: '2m',
      summary: '{service} at {instance} has no connection {connection} to RabbitMQ',
    },
    {
      name: 'JobServiceReconnects',
      severity: 'ticket',
      expr: 'sum by (service, instance) (increase(jobs_broker_reconnects_total[10m])) > 5',
      summary: '{service} at {instance} reconnected {value} times in 10 minutes',
    },
    {
      name: 'JobEventLoopBlocked',
      severity: 'ticket',
      expr: 'max by (service, instance) (nodejs_eventloop_lag_p99_seconds) > 0.25',
      for: '5m',
      summary:
        '{service} at {instance}: the event loop is held up for {value|humanizeDuration} (p99)',
    },
    {
      name: 'JobMetricsIncomplete',
      severity: 'ticket',
      expr: `(${OVERFLOWS}) or (${UNREAD})`,
      summary: '{service} at {instance} could not show all its metrics, {value} times',
    },
    {
      name: 'JobAlertingWatchdog',
      severity: 'none',
      expr: 'vector(1)',
      summary: 'Always on: proves that rules are evaluated and alerts delivered',
    },
  ],
};
