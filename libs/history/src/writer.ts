import type { OutgoingMessage } from '@warren/broker';
import { newJobId } from '@warren/contracts';
import type { Logger, Metrics } from '@warren/telemetry';
import { atMost } from './at-most.ts';
import { encodeBatch, encodeCircuitReport, encodeDrops, encodeHeartbeat } from './batch-codec.ts';
import type { CircuitReport } from './circuit-report.ts';
import { DropTally } from './drops.ts';
import type { HistoryEvent } from './event.ts';
import type { EventBatch } from './event-batch.ts';
import type { Heartbeat } from './heartbeat.ts';
import { isHopeless } from './publish-problem.ts';
import type { HistorySink } from './sink.ts';
import { Spool, type SpoolLimits } from './spool.ts';
import { WriterMetrics } from './writer-metrics.ts';

/** What a writer publishes with: the publisher of a `Broker`. */
export interface HistoryPublisher {
  readonly isOpen: boolean;
  /** Why a publish would be refused at once. */
  refusal(): Error | undefined;
  publish(message: OutgoingMessage): Promise<unknown>;
}

/** What a writer needs. */
export interface HistoryWriterOptions {
  readonly publisher: HistoryPublisher;
  /** `names.lifecycle`. It must be declared: build the topology with `history`. */
  readonly exchange: string;
  /** Routing key, and `appId` of the messages. */
  readonly service: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Default: 50,000 events, 32 MiB. */
  readonly limits?: Partial<SpoolLimits> | undefined;
}

const DEFAULT_LIMITS: SpoolLimits = { maxEvents: 50_000, maxBytes: 32 * 1_024 * 1_024 };

/** Shorter, and messages get small enough to cost throughput: flushing at every turn took 45 % of it. */
const FLUSH_MS = 5;
/** For what nobody waits for: of one who publishes a job at a time, each event would be a message of its own. */
const UNHURRIED_MS = 25;
/** With more on their way, batches grow instead. */
const MAX_UNDERWAY = 16;
const LOOK_AGAIN_MS = 100;
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 30_000;
const FLUSH_TIMEOUT_MS = 2_000;

/**
 * Tells the history what happens to jobs, many events in one message. It never throws and never delays a job; what cannot
 * be sent waits, within bounds, and is dropped beyond them, counted. Events may arrive twice, and out of order.
 */
export class HistoryWriter implements HistorySink {
  readonly #options: HistoryWriterOptions;
  readonly #metrics: WriterMetrics;
  readonly #spool: Spool;
  readonly #drops = new DropTally();
  #timer: NodeJS.Timeout | undefined;
  /** Whether that is only for what nobody waits for. */
  #isUnhurried = false;
  #underway = 0;
  #failures = 0;
  #failedAtMs = Number.NEGATIVE_INFINITY;
  #resumeAtMs = 0;
  #idle: (() => void)[] = [];
  #isClosed = false;

  constructor(options: HistoryWriterOptions) {
    this.#options = options;
    this.#metrics = new WriterMetrics(options, () => this.#spool.events);
    this.#spool = new Spool({ ...DEFAULT_LIMITS, ...options.limits }, (events) => {
      this.#metrics.dropped(events.length);
      this.#drops.add(events);
    });
  }

  /** Events told and not confirmed yet. */
  get spooled(): number {
    return this.#spool.events;
  }

  /** Can the history be written now? Not while the broker is away or blocks, nor for a pause after a failure. */
  get isAvailable(): boolean {
    const { publisher } = this.#options;
    if (this.#isClosed || !publisher.isOpen || publisher.refusal() !== undefined) return false;
    return this.#failures === 0 || performance.now() >= this.#resumeAtMs;
  }

  record(event: HistoryEvent): void {
    this.#add(event, UNHURRIED_MS);
  }

  recordFinal(event: HistoryEvent): Promise<void> | undefined {
    const batch = this.#add(event, FLUSH_MS);
    return batch && this.isAvailable ? batch.whenSettled() : undefined;
  }

  /** Sent once, or not at all: the next one tells the same. */
  beat(heartbeat: Heartbeat): void {
    this.#sendOnce(encodeHeartbeat(heartbeat));
  }

  /** Sent once, or not at all: the next heartbeat tells the same. */
  tellCircuits(report: CircuitReport): void {
    this.#sendOnce(encodeCircuitReport(report));
  }

  /** Sends all that was told, and resolves when it is confirmed; sooner when it cannot be, or after two seconds. */
  async flush(): Promise<void> {
    this.#send(true);
    if (this.#isIdle()) return;
    const idle = new Promise<void>((resolve) => {
      this.#idle.push(resolve);
    });
    await atMost(FLUSH_TIMEOUT_MS, idle);
  }

  /** Resolves with true when what was told so far is confirmed, or given up; else with false, after `timeoutMs`. */
  async whenTold(timeoutMs: number): Promise<boolean> {
    if (this.#isUnhurried) this.#hurry();
    return this.#spool.events === 0 || atMost(timeoutMs, this.#spool.whenOver());
  }

  /** As `flush`; then drops what is left, and whatever is told later. To be called before its publisher is closed. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    await this.flush();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (let batch = this.#spool.take(); batch; batch = this.#spool.take()) this.#spool.drop(batch);
    this.#metrics.close();
  }

  #sendOnce(body: Buffer): void {
    if (!this.isAvailable) return;
    this.#options.publisher.publish(this.#message(body)).catch(() => {});
  }

  #add(event: HistoryEvent, withinMs: number): EventBatch | undefined {
    if (this.#isClosed) {
      this.#metrics.dropped(1);
      return undefined;
    }
    const batch = this.#spool.add(event);
    if (this.#spool.hasFullBatch && this.#underway < MAX_UNDERWAY) this.#send(false);
    else if (this.#timer === undefined) {
      this.#plan(withinMs);
      this.#isUnhurried = withinMs > FLUSH_MS;
    } else if (this.#isUnhurried && withinMs === FLUSH_MS) this.#hurry();
    return batch;
  }

  #hurry(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isUnhurried = false;
    this.#plan(FLUSH_MS);
  }

  #plan(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#isUnhurried = false;
      this.#send(true);
    }, delayMs).unref();
  }

  /** Sends full batches, with `all` also the one that is not. */
  #send(all: boolean): void {
    if (this.#spool.isEmpty && this.#drops.isEmpty) return;
    if (!this.isAvailable) {
      this.#plan(LOOK_AGAIN_MS);
      return;
    }
    if (!this.#drops.isEmpty) this.#tellDrops();
    while (this.#underway < MAX_UNDERWAY && (all || this.#spool.hasFullBatch)) {
      const batch = this.#spool.take();
      if (!batch) return;
      this.#publish(batch);
    }
    if (!this.#spool.isEmpty && this.#underway < MAX_UNDERWAY) this.#plan(FLUSH_MS);
  }

  #publish(batch: EventBatch): void {
    const body = encoded(batch);
    if (!body) {
      this.#spool.drop(batch);
      return;
    }
    this.#underway += 1;
    const sentAtMs = performance.now();
    this.#options.publisher.publish(this.#message(body)).then(
      () => this.#onConfirmed(batch),
      (error: unknown) => this.#onFailed(batch, sentAtMs, error),
    );
  }

  /** That some are missing is worth more than any of them: readers would believe the rest. */
  #tellDrops(): void {
    const drops = this.#drops.take();
    this.#underway += 1;
    const onEnd = (isTold: boolean) => {
      this.#underway -= 1;
      if (!isTold) this.#drops.putBack(drops);
      if (!isTold) this.#plan(LOOK_AGAIN_MS);
      this.#checkIdle();
    };
    this.#options.publisher.publish(this.#message(encodeDrops(drops))).then(
      () => onEnd(true),
      () => onEnd(false),
    );
  }

  #message(body: Buffer): OutgoingMessage {
    const { exchange, service } = this.#options;
    return {
      exchange,
      routingKey: service,
      body,
      properties: {
        messageId: newJobId(),
        contentType: 'application/json',
        appId: service,
        persistent: true,
        // A stream that was deleted shows in what comes back, and is declared again.
        mandatory: true,
      },
    };
  }

  #onConfirmed(batch: EventBatch): void {
    this.#underway -= 1;
    this.#failures = 0;
    this.#spool.release(batch);
    this.#metrics.confirmed(batch.events.length);
    batch.settle();
    this.#send(this.#idle.length > 0);
    if (!this.#spool.isEmpty) this.#plan(FLUSH_MS);
    this.#checkIdle();
  }

  #onFailed(batch: EventBatch, sentAtMs: number, error: unknown): void {
    this.#underway -= 1;
    // What was on its way together fails together: that is one failure, and must not add up to the longest pause.
    if (sentAtMs > this.#failedAtMs) this.#pauseAfterFailure(performance.now());
    this.#metrics.failed(error);
    batch.settle();
    if (this.#isClosed || isHopeless(error)) this.#spool.drop(batch);
    else this.#spool.putBack(batch);
    this.#plan(LOOK_AGAIN_MS);
    this.#checkIdle();
  }

  #pauseAfterFailure(nowMs: number): void {
    this.#failures += 1;
    this.#failedAtMs = nowMs;
    this.#resumeAtMs = nowMs + pauseMs(this.#failures);
  }

  #isIdle(): boolean {
    return this.#underway === 0 && (this.#spool.isEmpty || !this.isAvailable);
  }

  #checkIdle(): void {
    if (this.#idle.length === 0 || !this.#isIdle()) return;
    for (const resolve of this.#idle) resolve();
    this.#idle = [];
  }
}

function pauseMs(failures: number): number {
  return Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20));
}

/** Undefined for events that are none, whatever their types say. */
function encoded({ events }: EventBatch): Buffer | undefined {
  try {
    return encodeBatch(events);
  } catch {
    return undefined;
  }
}
