import {
  type Attributes,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { furtherAttributes, type TracedMessage } from './messaging-attributes.ts';
import { startMessagingSpan } from './messaging-span.ts';
import { formatTraceparent, linksTo, parseTraceparent } from './span-context.ts';
import { failSpan, type Redact } from './span-failure.ts';
import { activeTracer, isLeftOut } from './tracer.ts';

/** A delivered message, as far as spans tell of it. */
export interface TracedDelivery extends TracedMessage {
  /** The span in which the message was made, and what its vendor added. */
  readonly traceparent: string | undefined;
  readonly tracestate?: unknown;
  /** What happened to the job last: its attempt before this one, or its replay. */
  readonly previousSpan: string | undefined;
  readonly attempt: number;
  readonly generation: number;
  /** How long it could have run and did not, ms; undefined where nobody knows. */
  readonly waitMs: number | undefined;
}

/** How a run ended. */
export interface ProcessEnd {
  readonly outcome: string;
  readonly decision: string;
  /** Set where the attempt failed. */
  readonly error?: unknown;
  readonly redact?: Redact | undefined;
}

/**
 * The span of one run. Its parent is the span in which the job was made, however long ago that was, so that one trace has the
 * whole of a job; what came in between is linked.
 */
export class ProcessSpan {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #delivery: TracedDelivery;
  readonly #isKept: boolean;

  constructor(tracer: Tracer, delivery: TracedDelivery) {
    const { traceparent, tracestate, previousSpan, attempt, generation, waitMs } = delivery;
    const creation = parseTraceparent(traceparent, tracestate);
    this.#tracer = tracer;
    this.#delivery = delivery;
    if (isLeftOut(creation)) {
      this.#span = trace.wrapSpanContext(creation);
      this.#isKept = false;
      return;
    }
    this.#span = startMessagingSpan(
      tracer,
      delivery,
      {
        name: 'process',
        type: 'process',
        kind: SpanKind.CONSUMER,
        attributes: { 'jobs.attempt': attempt },
      },
      parentContext(creation),
    );
    // Asked now: a span that has ended records nothing any more.
    this.#isKept = this.#span.isRecording();
    if (!this.#isKept) return;
    this.#span.addLinks(linksTo([creation, parseTraceparent(previousSpan)])).setAttributes({
      'jobs.generation': generation,
      ...(waitMs !== undefined && { 'jobs.wait_ms': waitMs }),
      ...furtherAttributes(delivery),
    });
  }

  /** Whether anybody is going to see it. */
  get isKept(): boolean {
    return this.#isKept;
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get spanId(): string {
    return this.#span.spanContext().spanId;
  }

  /** The trace, if it is kept: an exemplar of one that is not would lead nowhere. */
  get sampledTraceId(): string | undefined {
    return this.#isKept ? this.traceId : undefined;
  }

  /** As a header names this span. */
  get traceparent(): string {
    return formatTraceparent(this.#span.spanContext());
  }

  /** Does the work with this span as the active one: what it publishes and calls belongs to it. */
  run<Result>(work: () => Result): Result {
    return context.with(trace.setSpan(ROOT_CONTEXT, this.#span), work);
  }

  /** The run is over, and it is decided what becomes of the job. */
  end({ outcome, decision, error, redact }: ProcessEnd): void {
    if (!this.#isKept) return;
    this.#span.setAttributes({ 'jobs.outcome': outcome, 'jobs.decision': decision });
    if (error !== undefined) failSpan(this.#span, error, redact);
    this.#span.end();
  }

  /** Settles the delivery within a span of its own, if the trace is kept. */
  settle(operation: Settlement, work: () => Promise<void>): Promise<void> {
    if (!this.#isKept) return work();
    const parent = trace.setSpan(ROOT_CONTEXT, this.#span);
    return settleWithin(this.#tracer, this.#delivery, parent, operation, work);
  }
}

/** What is done with a delivery, for a span's name and attributes. */
export interface Settlement {
  /** `ack`, or what a move is for. */
  readonly name: string;
  readonly attributes?: Attributes;
  /** Whether the delivery was lost meanwhile. */
  isLost(): boolean;
}

/** Begins the span of a run; undefined while spans are not collected. */
export function startProcess(delivery: TracedDelivery): ProcessSpan | undefined {
  const tracer = activeTracer();
  return tracer && new ProcessSpan(tracer, delivery);
}

/** Settles a delivery that was not run. */
export function traceSettle(
  delivery: TracedDelivery,
  operation: Settlement,
  work: () => Promise<void>,
): Promise<void> {
  const tracer = activeTracer();
  if (!tracer) return work();
  const creation = parseTraceparent(delivery.traceparent, delivery.tracestate);
  if (isLeftOut(creation)) return work();
  const parent = parentContext(creation);
  return settleWithin(tracer, delivery, parent, operation, work);
}

function parentContext(creation: SpanContext | undefined) {
  // Never the active one: deliveries come in whatever context their consumer was started in.
  return creation ? trace.setSpanContext(ROOT_CONTEXT, creation) : ROOT_CONTEXT;
}

async function settleWithin(
  tracer: Tracer,
  delivery: TracedDelivery,
  parent: ReturnType<typeof parentContext>,
  { name, attributes, isLost }: Settlement,
  work: () => Promise<void>,
): Promise<void> {
  const creation = parseTraceparent(delivery.traceparent, delivery.tracestate);
  const operation = { name, type: 'settle', kind: SpanKind.CLIENT } as const;
  const span = startMessagingSpan(tracer, delivery, operation, parent);
  if (span.isRecording()) {
    span
      .addLinks(linksTo([creation]))
      .setAttributes(furtherAttributes(delivery))
      .setAttributes(attributes ?? {});
  }
  try {
    await context.with(trace.setSpan(parent, span), work);
    if (isLost()) span.setStatus({ code: SpanStatusCode.ERROR, message: 'the delivery was lost' });
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}
