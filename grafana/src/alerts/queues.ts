import {
  CONSUMERS,
  DEPTH_LIMIT,
  HANDLER_TIMEOUT,
  HEAD_AGE_BOUND,
  lateRatio,
  OLDEST_RUN,
  PAUSED_ON_PURPOSE,
  queuesOf,
  READY,
  START_WITHIN,
} from '../promql.ts';
import type { AlertGroup } from './alert.ts';

/** More than a tenth of what may wait: below that, growth and slowness are nobody's concern. */
const MANY_WAIT = `(${READY} > on (queue) 0.1 * ${DEPTH_LIMIT})`;

/** Of the jobs of a queue, 99 % should start in time. */
const LATE_BUDGET = 0.01;

/** The budget of a month is spent this many times too fast, over a long window and still over a short one. */
const burns = (times: number, long: string, short: string, atLeast: number): string =>
  `(${lateRatio(long)} > ${times * LATE_BUDGET}) and on (queue) (${lateRatio(short)} > ${times * LATE_BUDGET})` +
  ` and on (queue) (sum by (queue) (increase(jobs_queue_wait_seconds_count[${long}])) > ${atLeast})`;

const nothingEndedFor = (window: string): string =>
  `(sum by (queue) (increase(jobs_process_duration_seconds_count[${window}]))` +
  ` + on (queue) sum by (queue) (increase(jobs_completed_total[${window}])) == 0)`;

/** Something runs, and is not beyond twice its time. */
const RUNS_IN_ITS_TIME = `((${OLDEST_RUN} > 0) < on (queue) 2 * ${HANDLER_TIMEOUT})`;

/** Whether jobs that wait are taken up, and soon enough. */
export const QUEUES: AlertGroup = {
  name: 'warren-queues',
  alerts: [
    {
      name: 'JobQueueNoConsumers',
      severity: 'page',
      expr: `(${READY} > 0) and on (queue) (${CONSUMERS} == 0) and on (queue) ${queuesOf('work')} unless on (queue) ${PAUSED_ON_PURPOSE}`,
      for: '5m',
      summary: '{queue}: {value} jobs wait and nothing consumes them',
    },
    {
      name: 'JobQueueStalled',
      severity: 'page',
      expr: `(${READY} > 0) and on (queue) (${CONSUMERS} > 0) and on (queue) ${nothingEndedFor('10m')} and on (queue) ${queuesOf('work')} unless on (queue) ${RUNS_IN_ITS_TIME} unless on (queue) ${PAUSED_ON_PURPOSE}`,
      for: '10m',
      summary:
        '{queue}: {value} jobs wait, consumers are there, and no job has ended for 10 minutes',
    },
    {
      name: 'JobStartsLateFast',
      severity: 'page',
      expr: burns(14.4, '1h', '5m', 50),
      for: '2m',
      summary:
        '{queue}: {value|humanizePercentage} of jobs started later than they should, in the last hour',
    },
    {
      name: 'JobStartsLateSlow',
      severity: 'ticket',
      expr: burns(6, '6h', '30m', 100),
      for: '15m',
      summary:
        '{queue}: {value|humanizePercentage} of jobs started later than they should, in the last 6 hours',
    },
    {
      name: 'JobQueueDepthHigh',
      severity: 'ticket',
      expr: `${READY} > on (queue) ${DEPTH_LIMIT}`,
      for: '5m',
      keepFiringFor: '5m',
      summary: '{queue}: {value} jobs wait, more than their type allows',
    },
    {
      name: 'JobQueueGrowing',
      severity: 'ticket',
      expr: `(max by (queue) (deriv(rabbitmq_detailed_queue_messages_ready[15m])) > 0.5) and on (queue) ${MANY_WAIT} and on (queue) ${queuesOf('work')}`,
      for: '15m',
      summary: '{queue} grows by {value} jobs a second, for half an hour now',
    },
    {
      name: 'JobQueueSlowToDrain',
      severity: 'ticket',
      expr: `${MANY_WAIT} / on (queue) sum by (queue) (rate(jobs_completed_total[10m])) > on (queue) 30 * ${START_WITHIN} and on (queue) ${queuesOf('work')}`,
      for: '10m',
      summary: '{queue} needs {value|humanizeDuration} to empty at the present rate',
    },
    {
      name: 'JobHeadOfQueueOld',
      severity: 'ticket',
      expr: `(${HEAD_AGE_BOUND} > on (queue) 5 * ${START_WITHIN}) and on (queue) (${READY} > 0) and on (queue) ${queuesOf('work')}`,
      for: '5m',
      summary: '{queue}: the oldest job has waited for up to {value|humanizeDuration}',
    },
    {
      name: 'JobConsumerPaused',
      severity: 'ticket',
      expr: 'max by (queue, reason) (jobs_consumer_paused{reason=~"operator|move_failing"}) == 1',
      for: '15m',
      summary: '{queue} has been paused for 15 minutes: {reason}',
    },
  ],
};
