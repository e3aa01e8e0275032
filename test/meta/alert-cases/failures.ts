import { type AlertCases, ready, role } from './alert-case.ts';

const DEAD = 'jobs_completed_total{queue="q",job_type="t",outcome="dead_lettered"}';
const SUCCEEDED = 'jobs_completed_total{queue="q",job_type="t",outcome="succeeded"}';
const DEAD_LETTERED = 'jobs_dead_lettered_total{queue="q",job_type="t",reason="schema"}';
const RETRIES = 'jobs_retries_scheduled_total{queue="q",job_type="t",error_type="timeout"}';
const RUNS = 'jobs_process_duration_seconds_count{queue="q",job_type="t",outcome="failed"}';
const OLDEST = 'jobs_oldest_in_flight_seconds{queue="q",instance="w1"}';
const EXPIRED = 'jobs_leases_kept{queue="q",state="expired",instance="w1"}';
const AT_GATEWAY = '{queue="q.dead",service="gateway",instance="g1"}';
const REPLAYING = `jobs_replay_in_progress${AT_GATEWAY}`;
const REPLAYED_LAST = `jobs_replay_last_progress_timestamp_seconds${AT_GATEWAY}`;
const TIMEOUT = 'jobs_handler_timeout_seconds{queue="q",instance="w1"}';

const circuit = (state: string) =>
  `jobs_circuit_breaker_state{breaker="smtp",state="${state}",instance="w1"}`;
const TRANSITIONS = 'jobs_circuit_breaker_transitions_total{breaker="smtp",instance="w1",';

/** A counter of one queue, and the summary once it has counted. */
const counted = (counter: string, summary: string) => ({
  series: { [`${counter}{queue="q",instance="w1"}`]: '0+1x60' },
  at: '30m',
  fires: [{ labels: { queue: 'q' }, summary }],
  quiet: { 'it was long ago': { [`${counter}{queue="q",instance="w1"}`]: '9x60' } },
});

export const FAILURE_CASES: AlertCases = {
  JobFailureRatioHigh: {
    series: { [DEAD]: '0+1x120', [SUCCEEDED]: '0+9x120' },
    at: '70m',
    fires: [{ labels: { job_type: 't' }, summary: 't: 10% of jobs end as dead letters' }],
    quiet: {
      'few fail': { [DEAD]: '0+0.1x120' },
      'it is over': { [DEAD]: '0+1x60 60x60' },
      'there are few jobs': { [DEAD]: '0+0.1x120', [SUCCEEDED]: '0+0.1x120' },
    },
  },
  JobDeadLetterBurst: {
    series: { [DEAD_LETTERED]: '0+2x60' },
    at: '30m',
    fires: [{ labels: { queue: 'q' }, summary: 'q: 20 dead letters in 10 minutes' }],
    quiet: { 'there are few': { [DEAD_LETTERED]: '0+0.5x60' } },
  },
  JobDeadLettersWaiting: {
    series: { [ready('q.dead')]: '3x60', [role('q.dead', 'dead')]: '1x5 stale' },
    at: '20m',
    fires: [{ labels: { queue: 'q.dead' }, summary: 'q.dead holds 3 dead letters' }],
    quiet: {
      'there are none': { [ready('q.dead')]: '0x60' },
      'it is a work queue': { [role('q.dead', 'dead')]: null, [role('q.dead', 'work')]: '1x60' },
    },
  },
  JobSuspects: counted(
    'jobs_suspects_total',
    'q: 15 jobs were in hand at two crashes within 15 minutes',
  ),
  JobRetryStorm: {
    series: { [RETRIES]: '0+90x60', [RUNS]: '0+100x60' },
    at: '20m',
    fires: [{ labels: { queue: 'q' }, summary: 'q: 90% of attempts end in a retry' }],
    quiet: {
      'most succeed': { [RETRIES]: '0+40x60' },
      'there is little of it': { [RETRIES]: '0+9x60', [RUNS]: '0+10x60' },
    },
  },
  JobHandlerStuck: {
    series: { [OLDEST]: '0+60x60', [TIMEOUT]: '60x3 stale' },
    at: '10m',
    fires: [
      {
        labels: { queue: 'q' },
        summary: 'q: a handler has run for 10m 0s, over twice its timeout',
      },
    ],
    quiet: { 'its timeout is long': { [TIMEOUT]: '600x60' } },
  },
  JobHandlersAbandoned: {
    series: { 'jobs_abandoned_handlers{queue="q",instance="w1"}': '2x60' },
    at: '10m',
    fires: [
      {
        labels: { queue: 'q' },
        summary: 'q: 2 handlers ignored their abort and hold their slots',
      },
    ],
    quiet: {
      'they ended': { 'jobs_abandoned_handlers{queue="q",instance="w1"}': '2x6 0x60' },
    },
  },
  JobCircuitOpen: {
    series: {
      [circuit('open')]: '1x5 0 1x5 0 1x60',
      [circuit('half_open')]: '0x5 1 0x5 1 0x60',
    },
    at: '8m',
    fires: [
      {
        labels: { breaker: 'smtp' },
        summary: 'The circuit breaker smtp has been open for 5 minutes',
      },
    ],
    quiet: {
      'it closed': { [circuit('half_open')]: '0x60' },
      'it was never open': { [circuit('open')]: '0x60', [circuit('half_open')]: '0x60' },
    },
  },
  JobCircuitFlapping: {
    series: {
      [`${TRANSITIONS}to="closed"}`]: '0+0.5x60',
      [`${TRANSITIONS}to="open"}`]: '0+0.5x60',
    },
    at: '40m',
    fires: [
      {
        labels: { breaker: 'smtp' },
        summary: 'The circuit breaker smtp closed 15 times in 30 minutes, and opened again',
      },
    ],
    quiet: {
      'it is tried in vain; that is another alert': { [`${TRANSITIONS}to="closed"}`]: '1x60' },
    },
  },
  JobUnroutableHeld: {
    series: { [ready('shop.jobs.unroutable')]: '4x60' },
    at: '10m',
    fires: [
      {
        labels: { queue: 'shop.jobs.unroutable' },
        summary: 'shop.jobs.unroutable holds 4 jobs whose queue was deleted',
      },
    ],
    quiet: {
      'there are none': { [ready('shop.jobs.unroutable')]: '0x60' },
      'it is another queue': {
        [ready('shop.jobs.unroutable')]: null,
        [ready('xjobs.unroutable')]: '4x60',
      },
    },
  },
  JobLeasesExpired: {
    series: { [EXPIRED]: '2x60', [EXPIRED.replace('w1', 'w2')]: '2x60' },
    at: '20m',
    fires: [
      {
        labels: { queue: 'q' },
        summary: 'q: 2 long jobs are in the store, and nobody takes them up',
      },
    ],
    quiet: {
      'they are taken up': {
        [EXPIRED]: '2x10 0x1 1x40',
        [EXPIRED.replace('w1', 'w2')]: '2x10 0x1 1x40',
      },
      'they are held': {
        [EXPIRED]: null,
        [EXPIRED.replace('w1', 'w2')]: null,
        [EXPIRED.replace('expired', 'held')]: '2x60',
      },
    },
  },
  JobReplayStuck: {
    series: { [REPLAYING]: '1x60', [REPLAYED_LAST]: '0x60' },
    at: '10m',
    fires: [
      {
        labels: { service: 'gateway', instance: 'g1', queue: 'q.dead' },
        summary: 'gateway at g1: a replay of q.dead has got no further for 10m 0s',
      },
    ],
    quiet: {
      'it gets further': { [REPLAYED_LAST]: '0+60x60' },
      'it has ended': { [REPLAYING]: '1x8 0x60' },
      'another process replays, and gets further': {
        [REPLAYING]: '0x60',
        [REPLAYING.replace('g1', 'g2')]: '1x60',
        [REPLAYED_LAST.replace('g1', 'g2')]: '0+60x60',
      },
    },
  },
  JobSettleFailures: counted(
    'jobs_settle_failures_total',
    'q: 15 settles failed in 15 minutes; those jobs run twice',
  ),
};
