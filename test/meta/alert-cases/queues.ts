import { type AlertCases, consumers, ready, role } from './alert-case.ts';

const PAUSED = 'jobs_consumer_paused{queue="q",reason="operator",instance="w1"}';
const CIRCUIT_OPEN = 'jobs_consumer_paused{queue="q",reason="breaker",instance="w1"}';
const LATE = 'jobs_started_late_total{queue="q",job_type="t"}';
const STARTED = 'jobs_queue_wait_seconds_count{queue="q",job_type="t"}';
const RUNS = 'jobs_process_duration_seconds_count{queue="q",job_type="t",outcome="succeeded"}';
const ENDED = 'jobs_completed_total{queue="q",job_type="t",outcome="dead_lettered"}';
const SUCCEEDED = 'jobs_completed_total{queue="q",job_type="t",outcome="succeeded"}';
const OLDEST = 'jobs_oldest_in_flight_seconds{queue="q",instance="w1"}';
const TIMEOUT = 'jobs_handler_timeout_seconds{queue="q",instance="w1"}';
const READY_2 = 'rabbitmq_detailed_queue_messages_ready{vhost="/",queue="q",instance="r2"}';
const DEPTH_LIMIT = 'jobs_queue_depth_limit{queue="q",instance="w1"}';
const START_WITHIN = 'jobs_start_within_seconds{queue="q",instance="w1"}';
const LAST_STARTED = 'jobs_last_started_enqueued_timestamp_seconds{queue="q",instance="w1"}';

export const QUEUE_CASES: AlertCases = {
  JobQueueNoConsumers: {
    series: {
      [ready('q')]: '3x40',
      [consumers('q')]: '0x40',
      // The worker that said so is gone.
      [role('q', 'work')]: '1x5 stale',
    },
    at: '20m',
    fires: [{ labels: { queue: 'q' }, summary: 'q: 3 jobs wait and nothing consumes them' }],
    quiet: {
      'nothing waits': { [ready('q')]: '0x40' },
      'somebody consumes': { [consumers('q')]: '1x40' },
      'another node of the cluster sees a consumer': {
        'rabbitmq_detailed_queue_consumers{vhost="/",queue="q",instance="r2"}': '1x40',
      },
      'it is a retry tier': { [role('q', 'work')]: null, [role('q', 'retry')]: '1x40' },
      'an operator has paused it': { [PAUSED]: '1x40' },
      'a circuit is open; that is another alert': { [CIRCUIT_OPEN]: '1x40' },
      // Scraped at other moments than the broker, whose consumer is there for the trial.
      'a circuit is open, and tried now and then': {
        [CIRCUIT_OPEN]: '1 1 0 1 1 1 0 1 1 1 0 1 1 1 0 1 1 1 0 1 1 1 0',
        [consumers('q')]: '0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0',
      },
    },
  },
  JobQueueStalled: {
    series: {
      [ready('q')]: '5x80',
      [consumers('q')]: '2x80',
      [role('q', 'work')]: '1x80',
      [RUNS]: '7x80',
      [ENDED]: '0x80',
      [OLDEST]: '0x80',
      [TIMEOUT]: '1800x80',
    },
    at: '35m',
    fires: [
      {
        labels: { queue: 'q' },
        summary: 'q: 5 jobs wait, consumers are there, and no job has ended for 10 minutes',
      },
    ],
    quiet: {
      'handlers end': { [RUNS]: '0+1x80' },
      'jobs end without a run': { [ENDED]: '0+1x80' },
      'a handler runs within twice its timeout': { [OLDEST]: '0+60x59' },
      'nothing waits': { [ready('q')]: '0x80' },
      'nothing consumes; that is another alert': { [consumers('q')]: '0x80' },
      'an operator has paused it': { [PAUSED]: '1x80' },
    },
  },
  JobStartsLateFast: {
    series: { [LATE]: '0+5x120', [STARTED]: '0+10x120' },
    at: '70m',
    fires: [
      {
        labels: { queue: 'q' },
        summary: 'q: 50% of jobs started later than they should, in the last hour',
      },
    ],
    quiet: {
      'all start in time, as their type has it': { [LATE]: '0x120' },
      'it is over': { [LATE]: '0+5x60 300x60' },
      'there are few jobs': { [LATE]: '0+0.25x120', [STARTED]: '0+0.5x120' },
    },
  },
  JobStartsLateSlow: {
    series: { [LATE]: '0+1x500', [STARTED]: '0+10x500' },
    at: '400m',
    fires: [
      {
        labels: { queue: 'q' },
        summary: 'q: 10% of jobs started later than they should, in the last 6 hours',
      },
    ],
    quiet: {
      'all start in time': { [LATE]: '0x500' },
      'there are few jobs': { [LATE]: '0+0.01x500', [STARTED]: '0+0.1x500' },
    },
  },
  JobQueueDepthHigh: {
    series: {
      [ready('q')]: '60x60',
      // Another node of the cluster, and another worker.
      [READY_2]: '60x60',
      [DEPTH_LIMIT]: '50x60',
      'jobs_queue_depth_limit{queue="q",instance="w2"}': '50x60',
      // A type of which more may wait, on the same workers.
      [ready('bulk')]: '900x60',
      'jobs_queue_depth_limit{queue="bulk",instance="w1"}': '1000x60',
    },
    at: '20m',
    fires: [{ labels: { queue: 'q' }, summary: 'q: 60 jobs wait, more than their type allows' }],
    quiet: {
      'as many wait as may': { [ready('q')]: '50x60', [READY_2]: '50x60' },
      'it has been over for a while': { [ready('q')]: '60x11 0x60', [READY_2]: '60x11 0x60' },
      'a new version allows more': {
        [DEPTH_LIMIT]: '100x60',
        'jobs_queue_depth_limit{queue="q",instance="w2"}': '50x5 stale',
      },
    },
  },
  JobQueueGrowing: {
    series: {
      [ready('q')]: '0+60x60',
      [role('q', 'work')]: '1x60',
      // The worker that said so is gone.
      [DEPTH_LIMIT]: '1000x5 stale',
    },
    at: '40m',
    fires: [
      { labels: { queue: 'q' }, summary: 'q grows by 1 jobs a second, for half an hour now' },
    ],
    quiet: {
      'it is deep, but does not grow': { [ready('q')]: '5000x60' },
      'it is short': { [ready('q')]: '0+1x60' },
      'it is short for its type': { [DEPTH_LIMIT]: '50000x5 stale' },
      'it holds dead letters': { [role('q', 'work')]: null, [role('q', 'dead')]: '1x60' },
    },
  },
  JobQueueSlowToDrain: {
    series: {
      [ready('q')]: '3600x60',
      [role('q', 'work')]: '1x60',
      [SUCCEEDED]: '0+60x60',
      [DEPTH_LIMIT]: '1000x60',
      [START_WITHIN]: '60x60',
    },
    at: '30m',
    fires: [{ labels: { queue: 'q' }, summary: 'q needs 1h 0m 0s to empty at the present rate' }],
    quiet: {
      'jobs end fast enough': { [SUCCEEDED]: '0+600x60' },
      'few wait': { [ready('q')]: '90x60', [SUCCEEDED]: '0+0.1x60' },
      'its jobs have time': { [START_WITHIN]: '600x60' },
    },
  },
  JobHeadOfQueueOld: {
    series: {
      [ready('q')]: '1x60',
      [role('q', 'work')]: '1x60',
      [LAST_STARTED]: '0x3 stale',
      [START_WITHIN]: '60x3 stale',
    },
    at: '20m',
    fires: [{ labels: { queue: 'q' }, summary: 'q: the oldest job has waited for up to 20m 0s' }],
    quiet: {
      'nothing waits': { [ready('q')]: '0x60' },
      'younger jobs start': { [LAST_STARTED]: '0+60x60' },
      'its jobs have time': { [START_WITHIN]: '600x60' },
    },
  },
  JobConsumerPaused: {
    series: { 'jobs_consumer_paused{queue="q",reason="move_failing",instance="w1"}': '1x60' },
    at: '20m',
    fires: [
      {
        labels: { queue: 'q', reason: 'move_failing' },
        summary: 'q has been paused for 15 minutes: move_failing',
      },
    ],
    quiet: {
      'it goes on in between': {
        'jobs_consumer_paused{queue="q",reason="move_failing",instance="w1"}': '1x10 0x1 1x40',
      },
      'it stops': {
        'jobs_consumer_paused{queue="q",reason="move_failing",instance="w1"}': null,
        'jobs_consumer_paused{queue="q",reason="shutdown",instance="w1"}': '1x60',
      },
    },
  },
};
