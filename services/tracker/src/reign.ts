import {
  type Heartbeat,
  type HistoryBatch,
  HistoryReader,
  type HistoryWriter,
  type StreamSource,
} from '@warren/history';
import type { Store } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import { LagMeter } from './domain/lag-meter.ts';
import { RunWatch } from './domain/run-watch.ts';
import { forgetOld, type KeepMs } from './duties/forget-old.ts';
import { reportAbandoned } from './duties/report-abandoned.ts';
import { type SettleDeps, settleDoubts } from './duties/settle-doubts.ts';
import { Progress } from './progress.ts';
import { type Duty, repeat } from './repeat.ts';

/** What the reading tracker needs. */
export interface ReignDeps {
  /** Names this process in its markers. */
  readonly name: string;
  readonly broker: StreamSource;
  readonly stream: string;
  readonly store: Pick<Store, 'projection' | 'retention'>;
  readonly history: HistoryWriter;
  readonly keepMs: KeepMs;
  readonly silenceMs: number;
  readonly findDead: SettleDeps['findDead'];
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What the store said to the last batch; undefined for a success. */
  onStore(problem: string | undefined): void;
  onProblem(error: unknown): void;
}

const MARKER_EVERY_MS = 5_000;
const MARK_LOOK_MS = 250;
const LOOK_EVERY_MS = 1_000;

/** Reads the history into the store while this is the one that does, and tells of runs that nobody does any more. */
export class Reign {
  readonly #deps: ReignDeps;
  readonly #progress: Progress;
  readonly #lag = new LagMeter();
  readonly #watch: RunWatch;
  readonly #over = new AbortController();
  #reader: HistoryReader | undefined;
  #markedAtMs = 0;

  constructor(deps: ReignDeps) {
    this.#deps = deps;
    this.#progress = new Progress(deps.store.projection, deps.stream);
    this.#watch = new RunWatch(deps.silenceMs);
  }

  /** Undefined while it reads. */
  get problem(): string | undefined {
    return this.#reader ? this.#reader.problem : 'not reading yet';
  }

  lagMs(nowMs: number): number {
    return this.#lag.lagMs(nowMs);
  }

  /**
   * Resolves when `signal` has aborted, or when the offset in the store is not the one that was left there.
   * @throws StoreUnavailableError before it has begun
   */
  async run(signal: AbortSignal): Promise<void> {
    const from = await this.#progress.begin();
    const { broker, stream, logger, metrics, onProblem } = this.#deps;
    this.#reader = new HistoryReader({
      broker,
      stream,
      from,
      logger,
      metrics,
      onBatch: (batch) => this.#onBatch(batch),
    });
    logger.info({ stream, from }, 'reading what happened to jobs');
    const ended = AbortSignal.any([signal, this.#over.signal]);
    this.#reader.start();
    await Promise.all(this.#duties().map((duty) => repeat(duty, ended, onProblem)));
    this.#over.abort();
    await this.#reader.close();
  }

  #duties(): Duty[] {
    const { store, history } = this.#deps;
    return [
      { everyMs: MARK_LOOK_MS, run: async () => this.#mark(Date.now()) },
      { everyMs: LOOK_EVERY_MS, run: () => this.#look() },
      forgetOld(this.#deps),
      reportAbandoned({
        ...this.#deps,
        projection: store.projection,
        watch: this.#watch,
        isListening: (nowMs) => this.#isListening(nowMs),
        record: (event) => history.record(event),
      }),
      settleDoubts({
        ...this.#deps,
        projection: store.projection,
        isCurrent: (nowMs) => this.#isListening(nowMs),
        record: (event) => history.record(event),
      }),
    ];
  }

  async #onBatch({ events, heartbeats, drops, offset }: HistoryBatch): Promise<void> {
    // What comes now is read again by whoever reigns next.
    if (this.#over.signal.aborted) return;
    try {
      const isCurrent = this.#lag.isCurrent(Date.now());
      const isWritten = await this.#progress.write({ events, drops, offset, isCurrent });
      this.#deps.onStore(undefined);
      if (!isWritten) return this.#restart();
    } catch (error) {
      this.#deps.onStore(error instanceof Error ? error.message : String(error));
      throw error;
    }
    this.#deps.metrics.jobs_tracker_events_total.inc(events.length);
    const newest = events.at(-1);
    if (newest) this.#lag.eventRead(newest.atMs);
    for (const heartbeat of heartbeats) this.#hear(heartbeat, Date.now());
  }

  #hear(heartbeat: Heartbeat, nowMs: number): void {
    if (heartbeat.worker === this.#deps.name) this.#lag.markerRead(heartbeat.atMs, nowMs);
    else this.#watch.hear(heartbeat, nowMs);
  }

  /** A marker is a heartbeat of somebody who runs nothing. */
  #mark(atMs: number): void {
    const { history, name } = this.#deps;
    if (!history.isAvailable || atMs - this.#markedAtMs < MARKER_EVERY_MS) return;
    this.#markedAtMs = atMs;
    this.#lag.markerSent(atMs);
    history.beat({ worker: name, atMs, runs: [] });
  }

  /** Nothing may come that would show it. */
  async #look(): Promise<void> {
    if (await this.#progress.isUndone()) this.#restart();
  }

  #restart(): void {
    this.#deps.logger.warn(
      'the store was read into by another, or cleared: reading from where it stands',
    );
    this.#over.abort();
  }

  #isListening(nowMs: number): boolean {
    const { history } = this.#deps;
    return this.problem === undefined && history.isAvailable && this.#lag.isCurrent(nowMs);
  }
}
