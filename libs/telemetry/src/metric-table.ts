import type { Aggregator } from './aggregator.ts';
import {
  CIRCUIT_STATES,
  CLAIM_OUTCOMES,
  DEAD_LETTER_REASONS,
  DECLARED,
  DEDUP_STAGES,
  ERROR_TYPES,
  FINAL_OUTCOMES,
  HTTP_METHODS,
  LEASE_OUTCOMES,
  LEASE_STATES,
  PAUSE_REASONS,
  PUBLISH_OUTCOMES,
  QUEUE_ROLES,
  REPLAY_OUTCOMES,
  RUN_OUTCOMES,
  STATUS_CLASSES,
} from './label-values.ts';

/** One metric: `docs/metrics.md`, the registry and the types of `Metrics` all come from these. */
export interface MetricSpec {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** Label name → its closed set of values, or `DECLARED`. */
  readonly labels: Readonly<Record<string, readonly string[] | typeof DECLARED>>;
  /** Upper bounds of a histogram, in the unit of the name. */
  readonly buckets?: readonly number[];
  /** No series until the first real value: 0 would be read as a fact (1970, for a time). */
  readonly startsAbsent?: true;
  /** How processes of one `cluster` add up, where that does not follow from kind and name: `aggregatorOf`. */
  readonly aggregator?: Aggregator;
}

const queue = DECLARED;
const job_type = DECLARED;
const exchange = DECLARED;
const connection = DECLARED;
const breaker = DECLARED;
const limiter = DECLARED;
const route = DECLARED;

/** Every metric of the kit itself. Label values are closed sets, so the number of series is bounded. */
export const METRICS = {
  jobs_published_total: {
    type: 'counter',
    help: 'Jobs handed to the broker, by what became of the publish.',
    labels: { exchange, job_type, outcome: PUBLISH_OUTCOMES },
  },
  jobs_publish_confirm_seconds: {
    type: 'histogram',
    help: 'Time from sending a message to its confirm.',
    labels: { exchange },
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  jobs_publish_unconfirmed: {
    type: 'gauge',
    help: 'Messages sent and not yet confirmed.',
    labels: { exchange },
  },
  jobs_publish_buffered: {
    type: 'gauge',
    help: 'Messages held in memory while the broker is disconnected or blocked.',
    labels: {},
  },
  jobs_connection_blocked: {
    type: 'gauge',
    help: 'Whether the broker has blocked the connection because of a memory or disk alarm, 0 or 1.',
    labels: { connection },
    aggregator: 'max',
  },
  jobs_connection_blocked_seconds_total: {
    type: 'counter',
    help: 'Time for which the broker has blocked the connection.',
    labels: { connection },
  },
  jobs_dedup_hits_total: {
    type: 'counter',
    help: 'Repeats of a job that were recognised, so that it was not made, or did not run, once more.',
    labels: { job_type, stage: DEDUP_STAGES },
  },
  jobs_queue_wait_seconds: {
    type: 'histogram',
    help: 'Time from when a job could have started to when it did. Intended delays and retry backoff do not count.',
    labels: { queue, job_type },
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 1800, 3600],
  },
  jobs_started_late_total: {
    type: 'counter',
    help: 'Jobs that started later than jobs_start_within_seconds after they could have; those are part of jobs_queue_wait_seconds.',
    labels: { queue, job_type },
  },
  jobs_process_duration_seconds: {
    type: 'histogram',
    help: 'Time that one run of a handler took.',
    labels: { queue, job_type, outcome: RUN_OUTCOMES },
    buckets: [
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60, 120, 300,
      600, 1800,
    ],
  },
  jobs_end_to_end_seconds: {
    type: 'histogram',
    help: 'Time from the first publish of a job to its end, retries included.',
    labels: { job_type, outcome: FINAL_OUTCOMES },
    buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600, 14400, 86400],
  },
  jobs_completed_total: {
    type: 'counter',
    help: 'Jobs that ended for good.',
    labels: { queue, job_type, outcome: FINAL_OUTCOMES },
  },
  jobs_attempts: {
    type: 'histogram',
    help: 'Attempts that a job had taken when it ended for good.',
    labels: { job_type, outcome: FINAL_OUTCOMES },
    buckets: [1, 2, 3, 4, 5, 8, 13, 21],
  },
  jobs_retries_scheduled_total: {
    type: 'counter',
    help: 'Failed attempts that were moved to a retry tier.',
    labels: { queue, job_type, error_type: ERROR_TYPES },
  },
  jobs_snoozed_total: {
    type: 'counter',
    help: 'Jobs put off by their handler, no attempt spent.',
    labels: { queue, job_type },
  },
  jobs_dead_lettered_total: {
    type: 'counter',
    help: 'Jobs moved to the dead letters.',
    labels: { queue, job_type, reason: DEAD_LETTER_REASONS },
  },
  jobs_in_flight: {
    type: 'gauge',
    help: 'Deliveries started and not settled.',
    labels: { queue },
  },
  jobs_concurrency: {
    type: 'gauge',
    help: 'Handlers that may run at once: as code, environment or an operator says. Lanes of a job type share it.',
    labels: { queue },
  },
  jobs_prefetched: {
    type: 'gauge',
    help: 'Deliveries received and not started.',
    labels: { queue },
  },
  jobs_consumer_prefetch: {
    type: 'gauge',
    help: 'Unsettled deliveries that the broker may have out to this consumer.',
    labels: { queue },
  },
  jobs_oldest_in_flight_seconds: {
    type: 'gauge',
    help: 'Age of the run that started longest ago and has not ended; 0 when none runs.',
    labels: { queue },
  },
  jobs_abandoned_handlers: {
    type: 'gauge',
    help: 'Handlers that did not end after their abort and still hold a slot.',
    labels: { queue },
  },
  jobs_consumer_paused: {
    type: 'gauge',
    help: 'Whether the consumer takes no deliveries for this reason, 0 or 1.',
    labels: { queue, reason: PAUSE_REASONS },
  },
  jobs_redelivered_total: {
    type: 'counter',
    help: 'Deliveries that the broker had handed over before.',
    labels: { queue },
  },
  jobs_suspects_total: {
    type: 'counter',
    help: 'Jobs moved to the suspect queue: in hand when a connection or process died, more than once.',
    labels: { queue },
  },
  jobs_released_total: {
    type: 'counter',
    help: 'Deliveries given back unspent.',
    labels: { queue },
  },
  jobs_once_claims_total: {
    type: 'counter',
    help: 'Claims of jobs that run once only, by what came of them.',
    labels: { queue, outcome: CLAIM_OUTCOMES },
  },
  jobs_leases_total: {
    type: 'counter',
    help: 'Long jobs taken over from the broker, by what came of it.',
    labels: { queue, outcome: LEASE_OUTCOMES },
  },
  jobs_leases_kept: {
    type: 'gauge',
    help: 'Long jobs of this queue in the store, as its workers last saw: all of them see the same.',
    labels: { queue, state: LEASE_STATES },
    aggregator: 'max',
  },
  jobs_circuit_breaker_state: {
    type: 'gauge',
    help: 'Circuits of this process in this state: 0 or 1, for a breaker with keys their number.',
    labels: { breaker, state: CIRCUIT_STATES },
  },
  jobs_circuit_breaker_transitions_total: {
    type: 'counter',
    help: 'Changes of circuits into this state.',
    labels: { breaker, to: CIRCUIT_STATES },
  },
  jobs_circuit_breaker_rejected_total: {
    type: 'counter',
    help: 'Calls and deliveries that a circuit did not let through.',
    labels: { breaker },
  },
  jobs_rate_limited_total: {
    type: 'counter',
    help: 'Times that a job had to wait because its limit was reached.',
    labels: { limiter },
  },
  jobs_rate_limit_wait_seconds: {
    type: 'histogram',
    help: 'How long jobs wait for their limit: in hand until they start, or for how long they are put off.',
    labels: { limiter },
    buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  },
  jobs_replay_total: {
    type: 'counter',
    help: 'Dead letters of this queue that replays in the background took up, by what became of them.',
    labels: { queue, outcome: REPLAY_OUTCOMES },
    startsAbsent: true,
  },
  jobs_replay_in_progress: {
    type: 'gauge',
    help: 'Replays of this queue of dead letters that this process does now.',
    labels: { queue },
    startsAbsent: true,
  },
  jobs_replay_last_progress_timestamp_seconds: {
    type: 'gauge',
    help: 'When a replay of this queue began, or last got any further, seconds since 1970.',
    labels: { queue },
    startsAbsent: true,
  },
  jobs_move_retries_total: {
    type: 'counter',
    help: 'Failed moves that were repeated.',
    labels: { queue },
  },
  jobs_settle_failures_total: {
    type: 'counter',
    help: 'Settles that failed on an open channel: a duplicate will follow.',
    labels: { queue },
  },
  jobs_late_settles_total: {
    type: 'counter',
    help: 'Settles that came after their channel was gone; nothing was sent, the broker delivers again.',
    labels: { queue },
  },
  jobs_last_started_enqueued_timestamp_seconds: {
    type: 'gauge',
    help: 'When the job that started last could have started first, seconds since 1970.',
    labels: { queue },
    startsAbsent: true,
  },
  jobs_queue_info: {
    type: 'gauge',
    help: 'Always 1; says what a queue is for.',
    labels: { queue, role: QUEUE_ROLES },
    startsAbsent: true,
  },
  jobs_queue_depth_limit: {
    type: 'gauge',
    help: 'Jobs that may wait in this queue before somebody is told; its job type says so.',
    labels: { queue },
    startsAbsent: true,
    aggregator: 'max',
  },
  jobs_start_within_seconds: {
    type: 'gauge',
    help: 'How soon jobs of this queue should start after they could; their type says so.',
    labels: { queue },
    startsAbsent: true,
  },
  jobs_handler_timeout_seconds: {
    type: 'gauge',
    help: 'Timeout of the handlers of this queue.',
    labels: { queue },
    startsAbsent: true,
  },
  jobs_broker_connected: {
    type: 'gauge',
    help: 'Whether the connection to the broker is up, 0 or 1.',
    labels: { connection },
    aggregator: 'min',
  },
  jobs_broker_reconnects_total: {
    type: 'counter',
    help: 'Connections to the broker made after the first.',
    labels: { connection },
  },
  jobs_history_events_total: {
    type: 'counter',
    help: 'Events of the history that the broker has confirmed.',
    labels: {},
  },
  jobs_history_dropped_total: {
    type: 'counter',
    help: 'Events of the history that were given up: too many waited for the broker, or they could not be sent.',
    labels: {},
  },
  jobs_history_spooled: {
    type: 'gauge',
    help: 'Events of the history held in memory until the broker confirms them.',
    labels: {},
  },
  jobs_history_skipped_total: {
    type: 'counter',
    help: 'Events and messages of the history that this version cannot read.',
    labels: {},
  },
  jobs_history_missed_total: {
    type: 'counter',
    help: 'Messages of the history that the broker had dropped, as too old or too many, before they were read.',
    labels: {},
  },
  jobs_tracker_active: {
    type: 'gauge',
    help: 'Whether this process reads the history into the store, 0 or 1; another one may, and this one stand by.',
    labels: {},
  },
  jobs_tracker_lag_seconds: {
    type: 'gauge',
    help: 'How far the store is behind the history; 0 where another process reads.',
    labels: {},
  },
  jobs_tracker_events_total: {
    type: 'counter',
    help: 'Events of the history written into the store.',
    labels: {},
  },
  jobs_tracker_interrupted_total: {
    type: 'counter',
    help: 'Runs that nobody did any more: no heartbeat has named them for twenty seconds.',
    labels: {},
  },
  jobs_tracker_uncertain: {
    type: 'gauge',
    help: 'Jobs, 10,000 at most, whose state may not be the last word: events of them may be missing. 0 where another process reads.',
    labels: {},
    aggregator: 'max',
  },
  jobs_tracker_settled_total: {
    type: 'counter',
    help: 'Jobs whose end nobody had told, found by their claims or among the dead letters.',
    labels: {},
  },
  jobs_tracker_pruned_total: {
    type: 'counter',
    help: 'Jobs that the store has forgotten because they ended long ago.',
    labels: {},
  },
  jobs_outbox_pending: {
    type: 'gauge',
    help: 'Messages in the outboxes that this process relays, not confirmed by the broker yet. Relays of one outbox show the same ones.',
    labels: {},
    aggregator: 'max',
  },
  jobs_outbox_oldest_age_seconds: {
    type: 'gauge',
    help: 'Age of the oldest message in the outboxes that this process relays.',
    labels: {},
  },
  jobs_http_request_duration_seconds: {
    type: 'histogram',
    help: 'Time from the head of a request to the gateway until its answer was sent; of one that is answered as things happen (server-sent events, `wait`), until that began. What is no route is `other`.',
    labels: { method: HTTP_METHODS, route, status_class: STATUS_CLASSES },
    buckets: [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  jobs_build_info: {
    type: 'gauge',
    help: 'Always 1; says what runs here.',
    labels: { service: DECLARED, version: DECLARED, node_version: DECLARED },
    startsAbsent: true,
  },
  jobs_event_loop_utilization_ratio: {
    type: 'gauge',
    help: 'Share of time, since the last scrape, in which the event loop was busy.',
    labels: {},
  },
  jobs_metrics_overflow_total: {
    type: 'counter',
    help: 'Counts that went to a series named _other because their metric has too many series.',
    labels: { metric: DECLARED },
  },
  jobs_collect_failures_total: {
    type: 'counter',
    help: 'Gauges that could not be read at a scrape; their last values were served.',
    labels: {},
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof METRICS;
