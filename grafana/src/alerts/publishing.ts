import type { AlertGroup } from './alert.ts';

const FAILED = 'jobs_published_total{outcome=~"nacked|returned|timeout|error"}[5m]';

/** Whether jobs get to the broker. */
export const PUBLISHING: AlertGroup = {
  name: 'warren-publishing',
  alerts: [
    {
      name: 'JobPublishFailing',
      severity: 'page',
      expr: `(sum by (service) (rate(${FAILED})) / on (service) sum by (service) (rate(jobs_published_total[5m])) > 0.01) and on (service) (sum by (service) (increase(${FAILED})) > 3)`,
      for: '5m',
      summary: '{service}: {value|humanizePercentage} of publishes are not confirmed',
    },
    {
      name: 'JobUnroutable',
      severity: 'ticket',
      expr: 'sum by (service, exchange) (increase(jobs_published_total{outcome="returned"}[5m])) > 0',
      summary: '{service}: {value} jobs published to {exchange} in 5 minutes had no queue',
    },
    {
      name: 'JobPublisherBlocked',
      severity: 'ticket',
      expr: 'max by (service, instance, connection) (jobs_connection_blocked) == 1',
      for: '1m',
      summary: '{service} at {instance}: RabbitMQ blocks the connection {connection}',
    },
    {
      name: 'JobOutboxLag',
      severity: 'page',
      expr: 'max by (service) (jobs_outbox_oldest_age_seconds) > 60',
      for: '2m',
      summary: '{service}: the oldest message in the outbox is {value|humanizeDuration} old',
    },
  ],
};
