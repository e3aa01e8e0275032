import type { StreamMessage, StreamReader, StreamReaderOptions, StreamStart } from '@warren/broker';
import { type Logger, type Metrics, rememberNews } from '@warren/telemetry';
import { decodeBatch } from './batch-codec.ts';
import type { CircuitReport } from './circuit-report.ts';
import type { Drops } from './drops.ts';
import type { HistoryEvent } from './event.ts';
import type { Heartbeat } from './heartbeat.ts';

/** What a reader reads with: a `Broker`. */
export interface StreamSource {
  readStream(options: StreamReaderOptions): StreamReader;
}

/** What happened to jobs, as far as one step of reading tells. */
export interface HistoryBatch {
  readonly events: readonly HistoryEvent[];
  readonly heartbeats: readonly Heartbeat[];
  /** What changed of the circuits of workers. */
  readonly circuits: readonly CircuitReport[];
  readonly drops: readonly Drops[];
  /** Of the first message of these. */
  readonly firstOffset: number;
  /** Of the last message of these. Go on with the next one. */
  readonly offset: number;
}

/** What a reader needs. */
export interface HistoryReaderOptions {
  readonly broker: StreamSource;
  /** `names.history`. It must be declared: build the topology with `history`. */
  readonly stream: string;
  readonly from: StreamStart;
  /** Messages in hand at most. Default 100. */
  readonly prefetch?: number | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Takes what was read, in order, one call at a time; what it rejects it is given again, after a growing pause. */
  onBatch(batch: HistoryBatch): Promise<void>;
  /** As in `StreamReaderOptions`; logged and counted in any case. */
  onGap?(from: number, to: number): void;
}

/** A call takes no further message once it has so many events. */
const MAX_EVENTS = 2_000;

/** Reads what happened to jobs from the stream; what it cannot read it leaves out, counted. */
export class HistoryReader {
  readonly #options: HistoryReaderOptions;
  readonly #reader: StreamReader;
  readonly #isNews = rememberNews();
  /** What was handed over of the messages in hand, in case that the rest is refused and all are given again. */
  #done: { readonly messages: readonly StreamMessage[]; count: number } = {
    messages: [],
    count: 0,
  };

  constructor(options: HistoryReaderOptions) {
    this.#options = options;
    this.#reader = options.broker.readStream({
      stream: options.stream,
      from: options.from,
      prefetch: options.prefetch,
      onMessages: (messages) => this.#take(messages),
      onGap: (from, to) => this.#onGap(from, to),
      onProblem: (problem) => this.#onProblem(problem),
    });
  }

  /** Undefined while it reads; otherwise what is wrong. */
  get problem(): string | undefined {
    return this.#reader.problem;
  }

  start(): void {
    this.#reader.start();
  }

  /** Reads no more. Resolves when `onBatch` has answered. */
  close(): Promise<void> {
    return this.#reader.close();
  }

  async #take(messages: readonly StreamMessage[]): Promise<void> {
    if (this.#done.messages !== messages) this.#done = { messages, count: 0 };
    while (this.#done.count < messages.length) {
      const { batch, skipped, count } = this.#next(messages, this.#done.count);
      await this.#options.onBatch(batch);
      this.#done.count = count;
      if (skipped > 0) this.#options.metrics.jobs_history_skipped_total.inc(skipped);
    }
    this.#isNews('reading', '');
  }

  #next(messages: readonly StreamMessage[], from: number) {
    const events: HistoryEvent[] = [];
    const heartbeats: Heartbeat[] = [];
    const circuits: CircuitReport[] = [];
    const drops: Drops[] = [];
    let skipped = 0;
    let count = from;
    const firstOffset = messages[from]?.offset ?? 0;
    let offset = firstOffset;
    for (const message of messages.slice(from)) {
      const decoded = decodeBatch(message.body);
      for (const event of decoded.events) events.push(event);
      heartbeats.push(...decoded.heartbeats);
      circuits.push(...decoded.circuits);
      drops.push(...decoded.drops);
      skipped += decoded.skipped;
      offset = message.offset;
      count += 1;
      if (events.length >= MAX_EVENTS) break;
    }
    const batch = { events, heartbeats, circuits, drops, firstOffset, offset };
    return { batch, skipped, count };
  }

  #onGap(from: number, to: number): void {
    const { logger, metrics, stream, onGap } = this.#options;
    metrics.jobs_history_missed_total.inc(Math.max(0, to - from));
    logger.warn({ stream, from, to }, 'a part of the stream is gone and was not read');
    onGap?.(from, to);
  }

  #onProblem(problem: string): void {
    const { logger, stream } = this.#options;
    if (this.#isNews('reading', problem)) {
      logger.error({ stream, problem }, 'cannot read on; trying again');
    }
  }
}
