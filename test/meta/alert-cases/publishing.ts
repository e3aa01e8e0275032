import type { AlertCases } from './alert-case.ts';

const published = (outcome: string) =>
  `jobs_published_total{service="gateway",exchange="jobs",job_type="t",outcome="${outcome}"}`;
const BLOCKED = 'jobs_connection_blocked{service="gateway",instance="g1",connection="publish"}';
const OUTBOX = 'jobs_outbox_oldest_age_seconds{service="gateway",instance="g1"}';

export const PUBLISHING_CASES: AlertCases = {
  JobPublishFailing: {
    series: { [published('confirmed')]: '0+90x60', [published('timeout')]: '0+10x60' },
    at: '20m',
    fires: [
      { labels: { service: 'gateway' }, summary: 'gateway: 10% of publishes are not confirmed' },
    ],
    quiet: {
      'all are confirmed': { [published('timeout')]: '0x60' },
      'only a few fail': { [published('timeout')]: '0+0.5x60', [published('confirmed')]: '0+1x60' },
    },
  },
  JobUnroutable: {
    series: { [published('returned')]: '0+1x60' },
    at: '20m',
    fires: [
      {
        labels: { service: 'gateway', exchange: 'jobs' },
        summary: 'gateway: 5 jobs published to jobs in 5 minutes had no queue',
      },
    ],
    quiet: { 'all have one': { [published('returned')]: '7x60' } },
  },
  JobPublisherBlocked: {
    series: { [BLOCKED]: '1x60' },
    at: '5m',
    fires: [
      {
        labels: { service: 'gateway', instance: 'g1', connection: 'publish' },
        summary: 'gateway at g1: RabbitMQ blocks the connection publish',
      },
    ],
    quiet: { 'it was short': { [BLOCKED]: '1x4 0x60' } },
  },
  JobOutboxLag: {
    series: { [OUTBOX]: '0+60x60' },
    at: '10m',
    fires: [
      {
        labels: { service: 'gateway' },
        summary: 'gateway: the oldest message in the outbox is 10m 0s old',
      },
    ],
    quiet: { 'it is emptied': { [OUTBOX]: '30x60' } },
  },
};
