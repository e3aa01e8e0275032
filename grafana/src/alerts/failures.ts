import { deadLetterRatio, HANDLER_TIMEOUT, OLDEST_RUN, queuesOf, READY } from '../promql.ts';
import type { AlertGroup } from './alert.ts';

const RETRIES = 'sum by (queue) (rate(jobs_retries_scheduled_total[5m]))';

/** Whether jobs that run succeed, and where those are that did not. */
export const FAILURES: AlertGroup = {
  name: 'warren-failures',
  alerts: [
    {
      name: 'JobFailureRatioHigh',
      severity: 'page',
      expr: `(${deadLetterRatio('5m')} > 0.05) and on (job_type) (${deadLetterRatio('1h')} > 0.05) and on (job_type) (sum by (job_type) (increase(jobs_completed_total[1h])) > 20)`,
      for: '5m',
      summary: '{job_type}: {value|humanizePercentage} of jobs end as dead letters',
    },
    {
      name: 'JobDeadLetterBurst',
      severity: 'ticket',
      expr: 'sum by (queue) (increase(jobs_dead_lettered_total[10m])) > 10',
      summary: '{queue}: {value} dead letters in 10 minutes',
    },
    {
      name: 'JobDeadLettersWaiting',
      severity: 'ticket',
      expr: `(${READY} > 0) and on (queue) ${queuesOf('dead')}`,
      for: '15m',
      summary: '{queue} holds {value} dead letters',
    },
    {
      name: 'JobSuspects',
      severity: 'ticket',
      expr: 'sum by (queue) (increase(jobs_suspects_total[15m])) > 0',
      summary: '{queue}: {value} jobs were in hand at two crashes within 15 minutes',
    },
    {
      name: 'JobRetryStorm',
      severity: 'ticket',
      expr: `(${RETRIES} / on (queue) sum by (queue) (rate(jobs_process_duration_seconds_count[5m])) > 0.5) and on (queue) (${RETRIES} > 1)`,
      for: '5m',
      summary: '{queue}: {value|humanizePercentage} of attempts end in a retry',
    },
    {
      name: 'JobHandlerStuck',
      severity: 'ticket',
      expr: `${OLDEST_RUN} > on (queue) 2 * ${HANDLER_TIMEOUT}`,
      for: '1m',
      summary: '{queue}: a handler has run for {value|humanizeDuration}, over twice its timeout',
    },
    {
      name: 'JobHandlersAbandoned',
      severity: 'ticket',
      expr: 'sum by (queue) (jobs_abandoned_handlers) > 0',
      for: '5m',
      summary: '{queue}: {value} handlers ignored their abort and hold their slots',
    },
    {
      name: 'JobCircuitOpen',
      severity: 'ticket',
      // Half open too: it is tried every now and then, and still ill.
      expr: 'sum by (breaker) (jobs_circuit_breaker_state{state=~"open|half_open"}) > 0',
      for: '5m',
      summary: 'The circuit breaker {breaker} has been open for 5 minutes',
    },
    {
      name: 'JobCircuitFlapping',
      severity: 'ticket',
      expr: 'max by (breaker) (increase(jobs_circuit_breaker_transitions_total{to="closed"}[30m])) > 5',
      summary: 'The circuit breaker {breaker} closed {value} times in 30 minutes, and opened again',
    },
    {
      name: 'JobUnroutableHeld',
      severity: 'ticket',
      expr: 'max by (queue) (rabbitmq_detailed_queue_messages_ready{queue=~"(.+[.])?jobs[.]unroutable"}) > 0',
      for: '5m',
      summary: '{queue} holds {value} jobs whose queue was deleted',
    },
    {
      name: 'JobLeasesExpired',
      severity: 'ticket',
      expr: 'max by (queue) (jobs_leases_kept{state="expired"}) > 0',
      for: '15m',
      summary: '{queue}: {value} long jobs are in the store, and nobody takes them up',
    },
    {
      name: 'JobReplayStuck',
      severity: 'ticket',
      expr: '(time() - max by (service, instance, queue) (jobs_replay_last_progress_timestamp_seconds) > 300) and on (service, instance, queue) (max by (service, instance, queue) (jobs_replay_in_progress) > 0)',
      for: '1m',
      summary:
        '{service} at {instance}: a replay of {queue} has got no further for {value|humanizeDuration}',
    },
    {
      name: 'JobSettleFailures',
      severity: 'ticket',
      expr: 'sum by (queue) (increase(jobs_settle_failures_total[15m])) > 0',
      summary: '{queue}: {value} settles failed in 15 minutes; those jobs run twice',
    },
  ],
};
