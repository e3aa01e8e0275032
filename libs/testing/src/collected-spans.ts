import { type Attributes, context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { registerTracing, type TracingSdk } from '@warren/telemetry';
import { eventually } from './eventually.ts';

/** A span that has ended. */
export interface SeenSpan {
  readonly name: string;
  /** Such as `PRODUCER`. */
  readonly kind: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  /** Ids of the spans that it is linked to. */
  readonly links: readonly string[];
  readonly attributes: Attributes;
  readonly hasFailed: boolean;
  /** All that it says, as text. */
  readonly text: string;
}

/** Spans of this process, from `collectSpans` on. */
export interface CollectedSpans {
  /** Those that have ended, in the order of their starts: a handler may end after what it published. */
  all(): SeenSpan[];
  /** Those whose names begin so, once there are as many. */
  named(beginning: string, count: number): Promise<SeenSpan[]>;
  /** Does the work within a span of the test's own, and returns its ids. */
  within(name: string, work: () => Promise<unknown>): Promise<{ traceId: string; spanId: string }>;
  /** Collects no more. */
  end(): Promise<void>;
}

/** What is known and asked before a span is made. */
export interface Choice {
  /** Whether to keep what begins here, or what a caller elsewhere did not keep. Default: all. */
  readonly keep?: (name: string, attributes: Attributes) => boolean;
  /** As an SDK tells that knows its sampler. */
  readonly sampling?: TracingSdk['sampling'] | undefined;
}

/** Collects the spans of this process in memory. One test at a time. */
export function collectSpans({ keep, sampling }: Choice = {}): CollectedSpans {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    ...(keep && { sampler: askingFor(keep) }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const contextManager = new AsyncLocalStorageContextManager().enable();
  const onProblem = (problem: string) => process.emitWarning(problem);
  const unregister = registerTracing({
    provider,
    contextManager,
    onProblem,
    ...(sampling && { sampling }),
  });
  if (!unregister) throw new Error('spans are collected already');
  const all = () => exporter.getFinishedSpans().toSorted(byStart).map(toSeen);
  return {
    all,
    named: (beginning, count) =>
      eventually(`${count} spans ${beginning}`, () => {
        const found = all().filter(({ name }) => name.startsWith(beginning));
        return found.length >= count && found;
      }),
    async within(name, work) {
      const span = provider.getTracer('test').startSpan(name);
      await context.with(trace.setSpan(context.active(), span), work);
      span.end();
      return span.spanContext();
    },
    async end() {
      unregister();
      await provider.shutdown();
    },
  };
}

function askingFor(keep: NonNullable<Choice['keep']>): Sampler {
  const { NOT_RECORD, RECORD_AND_SAMPLED } = SamplingDecision;
  const root: Sampler = {
    shouldSample: (_context, _traceId, name, _kind, attributes) => ({
      decision: keep(name, attributes) ? RECORD_AND_SAMPLED : NOT_RECORD,
    }),
    toString: () => 'of a test',
  };
  return new ParentBasedSampler({ root, remoteParentNotSampled: root });
}

const byStart = (a: ReadableSpan, b: ReadableSpan): number =>
  a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1];

function toSeen(span: ReadableSpan): SeenSpan {
  const { name, kind, attributes, status, links, events } = span;
  const { traceId, spanId } = span.spanContext();
  return {
    name,
    kind: SpanKind[kind],
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    links: links.map((link) => link.context.spanId),
    attributes,
    hasFailed: status.code === SpanStatusCode.ERROR,
    text: JSON.stringify({ name, attributes, status, events }),
  };
}
