import type { AlertCases } from './alert-case.ts';

const AT = '{service="email",instance="e1"}';
const ACTIVE = (instance: string) => `jobs_tracker_active{instance="${instance}"}`;

export const HISTORY_CASES: AlertCases = {
  JobHistoryDropped: {
    series: { [`jobs_history_dropped_total${AT}`]: '0+2x60' },
    at: '30m',
    fires: [
      {
        labels: { service: 'email' },
        summary: 'email gave up 30 events of the history in 15 minutes',
      },
    ],
    quiet: { 'none lately': { [`jobs_history_dropped_total${AT}`]: '8x60' } },
  },
  JobHistoryGaps: {
    series: {
      [`jobs_history_missed_total${AT}`]: '0+1x60',
      [`jobs_history_skipped_total${AT}`]: '0x60',
    },
    at: '30m',
    fires: [
      {
        labels: { service: 'email' },
        summary: 'email could not read 15 messages or events of the history in 15 minutes',
      },
    ],
    quiet: { 'all are read': { [`jobs_history_missed_total${AT}`]: '0x60' } },
  },
  JobTrackerLag: {
    series: { 'jobs_tracker_lag_seconds{service="tracker",instance="t1"}': '120x60' },
    at: '10m',
    fires: [
      {
        labels: { service: 'tracker' },
        summary: 'tracker: the store is 2m 0s behind the history',
      },
    ],
    quiet: {
      'it has caught up': {
        'jobs_tracker_lag_seconds{service="tracker",instance="t1"}': '120x5 1x60',
      },
    },
  },
  JobTrackerMissing: {
    series: { [ACTIVE('a')]: '1x10 stale', [ACTIVE('b')]: '0x60' },
    at: '20m',
    fires: [{ labels: {}, summary: 'No tracker reads the history into the store' }],
    quiet: {
      'another has taken over': { [ACTIVE('b')]: '0x10 1x50' },
      'there never was one': { [ACTIVE('a')]: '0x60' },
    },
  },
};
