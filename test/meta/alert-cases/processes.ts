import type { AlertCases } from './alert-case.ts';

const AT = '{service="email",instance="e1"}';
const UP = 'up{job="warren",service="email",instance="e1"}';
const CONNECTED = 'jobs_broker_connected{service="email",instance="e1",connection="consume"}';

export const PROCESS_CASES: AlertCases = {
  JobServiceDown: {
    series: { [UP]: '0x60' },
    at: '10m',
    fires: [
      {
        labels: { job: 'warren', service: 'email', instance: 'e1' },
        summary: 'email at e1 does not answer the scrape',
      },
    ],
    quiet: {
      'it answers': { [UP]: '1x60' },
      'it is no service of Warren': {
        [UP]: null,
        'up{job="node",service="email",instance="e1"}': '0x60',
      },
    },
  },
  JobServiceMissing: {
    // One has never been there, one has gone, as its address has; the third has a container left.
    series: {
      'warren_service_expected{service="tracker"}': '1x60',
      [UP]: '1x20 stale',
      'up{job="warren",service="webhook",instance="w1"}': '1x20 stale',
      'up{job="warren",service="webhook",instance="w2"}': '1x60',
    },
    at: '30m',
    fires: [
      {
        labels: { service: 'tracker' },
        summary: 'tracker: none of its processes is found to be scraped',
      },
      {
        labels: { service: 'email' },
        summary: 'email: none of its processes is found to be scraped',
      },
    ],
    quiet: {
      'they are there': {
        'up{job="warren",service="tracker",instance="t1"}': '1x60',
        [UP]: '1x60',
      },
      'they do not answer, which JobServiceDown tells': {
        'up{job="warren",service="tracker",instance="t1"}': '0x60',
        [UP]: '1x20 0x40',
      },
      'there is another in its place': {
        'up{job="warren",service="tracker",instance="t1"}': '1x60',
        'up{job="warren",service="email",instance="e2"}': '_x20 1x60',
      },
    },
  },
  JobServiceDisconnected: {
    series: { [CONNECTED]: '0x60' },
    at: '10m',
    fires: [
      {
        labels: { service: 'email', instance: 'e1', connection: 'consume' },
        summary: 'email at e1 has no connection consume to RabbitMQ',
      },
    ],
    quiet: { 'it reconnects': { [CONNECTED]: '1x8 0x1 1x60' } },
  },
  JobServiceReconnects: {
    series: {
      [`jobs_broker_reconnects_total{service="email",instance="e1",connection="consume"}`]:
        '0+1x60',
    },
    at: '30m',
    fires: [
      {
        labels: { service: 'email', instance: 'e1' },
        summary: 'email at e1 reconnected 10 times in 10 minutes',
      },
    ],
    quiet: {
      'now and then': {
        [`jobs_broker_reconnects_total{service="email",instance="e1",connection="consume"}`]:
          '0+0.1x60',
      },
    },
  },
  JobEventLoopBlocked: {
    series: { [`nodejs_eventloop_lag_p99_seconds${AT}`]: '0.5x60' },
    at: '10m',
    fires: [
      {
        labels: { service: 'email', instance: 'e1' },
        summary: 'email at e1: the event loop is held up for 500ms (p99)',
      },
    ],
    quiet: { 'it was short': { [`nodejs_eventloop_lag_p99_seconds${AT}`]: '0.5x4 0.1x60' } },
  },
  JobMetricsIncomplete: {
    series: {
      [`jobs_metrics_overflow_total{service="email",instance="e1",metric="m"}`]: '0+1x120',
      [`jobs_collect_failures_total{service="sms",instance="s1"}`]: '0+2x120',
    },
    at: '90m',
    fires: [
      {
        labels: { service: 'email', instance: 'e1' },
        summary: 'email at e1 could not show all its metrics, 90 times',
      },
      {
        labels: { service: 'sms', instance: 's1' },
        summary: 'sms at s1 could not show all its metrics, 120 times',
      },
    ],
    quiet: {
      'it shows all': {
        [`jobs_metrics_overflow_total{service="email",instance="e1",metric="m"}`]: null,
        [`jobs_collect_failures_total{service="sms",instance="s1"}`]: '3x120',
      },
    },
  },
  JobAlertingWatchdog: {
    series: {},
    at: '1m',
    fires: [
      {
        labels: {},
        summary: 'Always on: proves that rules are evaluated and alerts delivered',
      },
    ],
    quiet: {},
  },
};
