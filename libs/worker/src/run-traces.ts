import type { Original, ReceivedMessage } from '@warren/broker';
import type { Decision } from '@warren/retry';
import {
  isTracing,
  type ProcessSpan,
  type QueueMeter,
  type Settlement,
  startProcess,
  type TracedDelivery,
  traceSettle,
} from '@warren/telemetry';
import type { Refusal } from './admit.ts';
import { type EndedRun, errorOf } from './ended-run.ts';
import type { ExecutedQueue } from './executor-options.ts';
import type { HandlerRegistration } from './handle.ts';
import type { Held } from './held.ts';
import type { Identified } from './identified.ts';
import { eligibleAtMsOf, type QueueMetrics } from './queue-metrics.ts';
import type { Settler } from './settle.ts';
import { typeOf } from './type-of.ts';

/**
 * The spans of one queue's runs and settlements, and OpenTelemetry's metrics of what those spans tell. Nothing is made of what
 * nobody collects.
 */
export class RunTraces {
  readonly #registration: HandlerRegistration;
  readonly #queue: ExecutedQueue;
  readonly #settler: Settler;
  readonly #meter: QueueMeter | undefined;

  constructor(options: {
    readonly registration: HandlerRegistration;
    readonly queue: ExecutedQueue;
    readonly settler: Settler;
    readonly metrics: Pick<QueueMetrics, 'meter'>;
  }) {
    this.#registration = options.registration;
    this.#queue = options.queue;
    this.#settler = options.settler;
    this.#meter = options.metrics.meter;
  }

  /** Begins the span of a run; undefined while spans are not collected. */
  start(held: Original, message: ReceivedMessage): ProcessSpan | undefined {
    return isTracing() ? startProcess(this.#traced(held, message)) : undefined;
  }

  /** Ends the span of a run, and settles as `Settler.settle` does, within another one. */
  settle(
    held: Held,
    message: Identified,
    decision: Decision,
    ended: EndedRun,
  ): void | Promise<void> {
    if (!this.#meter) return this.#settleTraced(held, message, decision, ended);
    if (wasRun(ended)) this.#meter.ran(held.message.fields, measuredRun(decision, ended));
    const name = SETTLEMENTS[decision.kind];
    // An ack is written and not answered: only a move takes a time that tells something.
    if (name === 'ack') return this.#settleTraced(held, message, decision, ended);
    const work = async () => this.#settleTraced(held, message, decision, ended);
    return measured(this.#meter, held, name, work);
  }

  /** Settles what may not run, as `Settler.refuse` does. */
  refuse(held: Held, message: ReceivedMessage, refusal: Refusal): Promise<void> {
    const name = REFUSALS[refusal.kind];
    if (!this.#meter || name === undefined || name === 'ack')
      return this.#refuseTraced(held, message, refusal);
    return measured(this.#meter, held, name, () => this.#refuseTraced(held, message, refusal));
  }

  #settleTraced(
    held: Held,
    message: Identified,
    decision: Decision,
    ended: EndedRun,
  ): void | Promise<void> {
    const { span } = ended;
    // An ack that nobody is told of is written at once, with no promise.
    const isUntold = span ? !span.isKept : !isTracing();
    if (isUntold) return this.#settler.settle(held, message, decision, ended);
    const work = async () => this.#settler.settle(held, message, decision, ended);
    const settlement = settlementOf(decision, held);
    if (!span) return traceSettle(this.#traced(held, message), settlement, work);
    endSpan(span, decision, ended);
    return span.settle(settlement, work);
  }

  /** Within a span, unless the job goes on waiting. */
  #refuseTraced(held: Held, message: ReceivedMessage, refusal: Refusal): Promise<void> {
    const name = isTracing() ? REFUSALS[refusal.kind] : undefined;
    if (name === undefined) return this.#settler.refuse(held, message, refusal);
    const attributes = {
      'jobs.decision': refusal.kind,
      ...('reason' in refusal && { 'jobs.dead_reason': refusal.reason }),
    };
    return traceSettle(
      this.#traced(held, message),
      { name, attributes, isLost: () => held.isLost },
      () => this.#settler.refuse(held, message, refusal),
    );
  }

  #traced({ message }: Original, received: ReceivedMessage): TracedDelivery {
    const { fields, properties } = message;
    const headers = properties.headers as Readonly<Record<string, unknown>> | undefined;
    const eligibleAtMs = eligibleAtMsOf(received);
    return {
      exchange: fields.exchange,
      routingKey: fields.routingKey,
      queue: this.#queue.name,
      deliveryTag: fields.deliveryTag,
      id: received.id,
      jobType: typeOf(this.#registration, received),
      correlationId: received.correlationId,
      traceparent: received.traceparent,
      tracestate: headers?.['tracestate'],
      previousSpan: received.previousSpan,
      attempt: received.attempt,
      generation: received.generation,
      waitMs: eligibleAtMs === undefined ? undefined : Math.max(0, Date.now() - eligibleAtMs),
    };
  }
}

/** Hops on the way to a time, or for an id, are no news to anybody. */
const REFUSALS: Readonly<Record<Refusal['kind'], string | undefined>> = {
  cancelled: 'ack',
  expired: 'ack',
  'dead-letter': 'dead_letter',
  suspect: 'suspect',
  early: undefined,
  identify: undefined,
};

const SETTLEMENTS: Readonly<Record<Decision['kind'], string>> = {
  complete: 'ack',
  cancel: 'ack',
  retry: 'retry',
  snooze: 'snooze',
  'dead-letter': 'dead_letter',
  release: 'release',
};

function settlementOf(decision: Decision, held: Held): Settlement {
  return {
    name: SETTLEMENTS[decision.kind],
    attributes: {
      'jobs.decision': decision.kind,
      ...('delayMs' in decision && { 'jobs.delay_ms': Math.round(decision.delayMs) }),
      ...('reason' in decision && { 'jobs.dead_reason': decision.reason }),
    },
    isLost: () => held.isLost,
  };
}

async function measured(
  meter: QueueMeter,
  held: Held,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const startedAtMs = performance.now();
  await work();
  meter.moved(held.message.fields, name, performance.now() - startedAtMs, held.isLost);
}

/** A run has failed where its job is tried again or given up; one that is put off has not. */
function hasFailed({ kind }: Decision): boolean {
  return kind === 'retry' || kind === 'dead-letter';
}

/** A payload that cannot be read never comes to its handler. */
function wasRun({ outcome: { kind } }: EndedRun): boolean {
  return kind !== 'unreadable' && kind !== 'invalid';
}

function measuredRun(decision: Decision, ended: EndedRun) {
  const { durationMs } = ended;
  return { durationMs, hasFailed: hasFailed(decision), error: errorOf(ended) };
}

function endSpan(span: ProcessSpan, decision: Decision, ended: EndedRun): void {
  const error = hasFailed(decision) ? errorOf(ended) : undefined;
  const { outcome, redact } = ended;
  span.end({ outcome: outcome.kind, decision: decision.kind, error, redact });
}
