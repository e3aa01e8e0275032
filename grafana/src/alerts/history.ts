import type { AlertGroup } from './alert.ts';

const lost = (metric: string): string => `sum by (service) (increase(${metric}[15m]))`;

/** Whether what happens to jobs is told and kept. Jobs run without it. */
export const HISTORY: AlertGroup = {
  name: 'warren-history',
  alerts: [
    {
      name: 'JobHistoryDropped',
      severity: 'ticket',
      expr: `${lost('jobs_history_dropped_total')} > 0`,
      summary: '{service} gave up {value} events of the history in 15 minutes',
    },
    {
      name: 'JobHistoryGaps',
      severity: 'ticket',
      expr: `${lost('jobs_history_missed_total')} + on (service) ${lost('jobs_history_skipped_total')} > 0`,
      summary: '{service} could not read {value} messages or events of the history in 15 minutes',
    },
    {
      name: 'JobTrackerLag',
      severity: 'ticket',
      expr: 'max by (service) (jobs_tracker_lag_seconds) > 60',
      for: '5m',
      summary: '{service}: the store is {value|humanizeDuration} behind the history',
    },
    {
      name: 'JobTrackerMissing',
      severity: 'ticket',
      expr: '(sum(jobs_tracker_active) or vector(0)) < 1 and sum(max_over_time(jobs_tracker_active[1d])) > 0',
      for: '5m',
      summary: 'No tracker reads the history into the store',
    },
  ],
};
