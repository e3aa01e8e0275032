import type { ReceivedMessage } from '@warren/broker';
import type { DeadReason } from '@warren/contracts';
import type { Outcome } from '@warren/retry';
import {
  type ClaimOutcome,
  errorTypeOf,
  type FinalOutcome,
  type LeaseOutcome,
  type Metrics,
  type PauseReason,
  type QueueMeter,
  type RunOutcome,
} from '@warren/telemetry';

/** The queue that is counted for. */
interface CountedQueue {
  readonly queue: string;
  readonly jobType: string;
  /** What starts later is late. */
  readonly startWithinMs: number;
}

/** What a queue's handlers count. Series are looked up once, not per job. */
export class QueueMetrics {
  readonly #metrics: Metrics;
  readonly #labels: { readonly queue: string; readonly job_type: string };
  readonly #waitSeconds;
  readonly #late;
  readonly #startWithinMs: number;
  readonly #runSeconds;
  readonly #ended;
  #lastStarted: { set(value: number): void } | undefined;
  readonly #redelivered;
  /** OpenTelemetry's metrics; undefined where nobody collects them. */
  readonly meter: QueueMeter | undefined;

  constructor(
    metrics: Metrics,
    { queue, jobType, startWithinMs }: CountedQueue,
    meter?: QueueMeter,
  ) {
    this.#metrics = metrics;
    this.meter = meter;
    this.#labels = { queue, job_type: jobType };
    this.#waitSeconds = metrics.jobs_queue_wait_seconds.labels(this.#labels);
    this.#late = metrics.jobs_started_late_total.labels(this.#labels);
    this.#startWithinMs = startWithinMs;
    this.#redelivered = metrics.jobs_redelivered_total.labels({ queue });
    this.#runSeconds = perOutcome<RunOutcome, Series>(
      ['succeeded', 'failed', 'timeout', 'cancelled'],
      (outcome) => metrics.jobs_process_duration_seconds.labels({ ...this.#labels, outcome }),
    );
    this.#ended = perOutcome<FinalOutcome, Ended>(
      ['succeeded', 'dead_lettered', 'expired', 'cancelled'],
      (outcome) => ({
        count: metrics.jobs_completed_total.labels({ ...this.#labels, outcome }),
        attempts: metrics.jobs_attempts.labels({ job_type: jobType, outcome }),
        seconds: metrics.jobs_end_to_end_seconds.labels({ job_type: jobType, outcome }),
      }),
    );
  }

  delivered(fields: DeliveryFields): void {
    if (fields.redelivered) this.#redelivered.inc();
    this.meter?.delivered(fields);
  }

  /** Waiting counts from when the job could have run; for a retry that is known only if it carries a time. */
  started(message: ReceivedMessage, nowMs: number, traceId?: string): void {
    const eligibleAtMs = eligibleAtMsOf(message);
    if (eligibleAtMs === undefined) return;
    const waitMs = Math.max(0, nowMs - eligibleAtMs);
    this.#waitSeconds.observe(waitMs / 1_000, traceId);
    if (waitMs > this.#startWithinMs) this.#late.inc();
    this.#lastStarted ??= this.#metrics.jobs_last_started_enqueued_timestamp_seconds.labels({
      queue: this.#labels.queue,
    });
    this.#lastStarted.set(eligibleAtMs / 1_000);
  }

  ran(outcome: Outcome, durationMs: number, traceId?: string): void {
    const label = runOutcomeOf(outcome);
    if (label) this.#runSeconds[label].observe(durationMs / 1_000, traceId);
  }

  ended(outcome: FinalOutcome, message: ReceivedMessage, nowMs: number): void {
    const { count, attempts, seconds } = this.#ended[outcome];
    count.inc();
    attempts.observe(message.attempt);
    if (message.publishedAtMs !== undefined) {
      seconds.observe(Math.max(0, nowMs - message.publishedAtMs) / 1_000);
    }
  }

  retried(error: unknown): void {
    const error_type = errorTypeOf(error);
    this.#metrics.jobs_retries_scheduled_total.inc({ ...this.#labels, error_type });
  }

  snoozed(): void {
    this.#metrics.jobs_snoozed_total.inc(this.#labels);
  }

  deadLettered(reason: DeadReason): void {
    this.#metrics.jobs_dead_lettered_total.inc({ ...this.#labels, reason });
  }

  suspected(): void {
    this.#metrics.jobs_suspects_total.inc({ queue: this.#labels.queue });
  }

  released(): void {
    this.#metrics.jobs_released_total.inc({ queue: this.#labels.queue });
  }

  onceClaimed(outcome: ClaimOutcome): void {
    this.#metrics.jobs_once_claims_total.inc({ queue: this.#labels.queue, outcome });
    if (outcome === 'done') this.#repeated();
  }

  leased(outcome: LeaseOutcome): void {
    this.#metrics.jobs_leases_total.inc({ queue: this.#labels.queue, outcome });
    if (outcome === 'duplicate') this.#repeated();
  }

  leasesKept({ running, expired }: { readonly running: number; readonly expired: number }): void {
    const { queue } = this.#labels;
    this.#metrics.jobs_leases_kept.set({ queue, state: 'held' }, running - expired);
    this.#metrics.jobs_leases_kept.set({ queue, state: 'expired' }, expired);
  }

  moveRepeated(): void {
    this.#metrics.jobs_move_retries_total.inc({ queue: this.#labels.queue });
  }

  settledLate(): void {
    this.#metrics.jobs_late_settles_total.inc({ queue: this.#labels.queue });
  }

  paused(reason: PauseReason, isPaused: boolean): void {
    const { queue } = this.#labels;
    this.#metrics.jobs_consumer_paused.set({ queue, reason }, isPaused ? 1 : 0);
  }

  prefetch(prefetch: number): void {
    this.#metrics.jobs_consumer_prefetch.set({ queue: this.#labels.queue }, prefetch);
  }

  #repeated(): void {
    const { job_type } = this.#labels;
    this.#metrics.jobs_dedup_hits_total.inc({ job_type, stage: 'consume' });
  }
}

/** When a job could have run, ms since 1970; undefined where nobody knows. */
export function eligibleAtMsOf(message: ReceivedMessage): number | undefined {
  const isFirst = message.attempt === 1 && message.snoozes === 0;
  return message.notBeforeMs ?? (isFirst ? message.publishedAtMs : undefined);
}

interface DeliveryFields {
  readonly exchange: string;
  readonly routingKey: string;
  readonly redelivered: boolean;
}

interface Series {
  observe(value: number, traceId?: string): void;
}

interface Ended {
  readonly count: { inc(): void };
  readonly attempts: Series;
  readonly seconds: Series;
}

function perOutcome<Outcome extends string, Value>(
  outcomes: readonly Outcome[],
  make: (outcome: Outcome) => Value,
): Record<Outcome, Value> {
  return Object.fromEntries(outcomes.map((outcome) => [outcome, make(outcome)])) as Record<
    Outcome,
    Value
  >;
}

function runOutcomeOf(outcome: Outcome): RunOutcome | undefined {
  switch (outcome.kind) {
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return outcome.kind;
    case 'withdrawn':
      return 'cancelled';
    case 'timed-out':
      return 'timeout';
    case 'unreadable':
    case 'invalid':
      return undefined;
  }
}
