import type { Broker } from '@warren/broker';
import { newJobId } from '@warren/contracts';
import { HistoryWriter } from '@warren/history';
import type { Readiness } from '@warren/runtime';
import { type Store, TRACKER_LOCK } from '@warren/store';
import { type Logger, type Metrics, onCollect, rememberNews } from '@warren/telemetry';
import type { KeepMs } from './duties/forget-old.ts';
import type { SettleDeps } from './duties/settle-doubts.ts';
import { Reign } from './reign.ts';
import { Standing } from './standing.ts';
import { takeTurns } from './take-turns.ts';

/** What a tracker needs. */
export interface TrackerOptions {
  /** Its topology has the streams of the history. Closed by its owner, after this. */
  readonly broker: Broker;
  readonly store: Store;
  readonly keepMs: KeepMs;
  /** How long no heartbeat may have named a run that is still done. */
  readonly silenceMs: number;
  readonly findDead: SettleDeps['findDead'];
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Reads the history into the store while no other of the installation does; stands by while one does. */
export class Tracker {
  readonly #options: TrackerOptions;
  readonly #name = `tracker/${newJobId()}`;
  readonly #history: HistoryWriter;
  readonly #standing = new Standing();
  readonly #stopping = new AbortController();
  readonly #isNews = rememberNews();
  readonly #stopMeasuring: () => void;
  #reign: Reign | undefined;
  #running: Promise<void> | undefined;

  constructor(options: TrackerOptions) {
    const { broker, logger, metrics } = options;
    this.#options = options;
    this.#history = new HistoryWriter({
      publisher: broker.publisher,
      exchange: broker.topology.names.lifecycle,
      service: 'tracker',
      logger,
      metrics,
    });
    this.#stopMeasuring = onCollect(metrics, () => this.#measure());
  }

  start(): void {
    this.#running ??= takeTurns(
      {
        tryLock: () => this.#options.store.tryLock(TRACKER_LOCK),
        reign: (signal) => this.#read(signal),
        onStandby: () => this.#onStandby(),
        onProblem: (error) => this.#onProblem(error),
      },
      this.#stopping.signal,
    );
  }

  readiness(): Readiness {
    const { broker } = this.#options;
    const { broker: state } = broker.checks();
    return this.#standing.readiness({
      broker: state === 'ok' ? undefined : state,
      reader: this.#reign?.problem,
    });
  }

  /** Reads no more; another may at once. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    await this.#history.close();
    this.#stopMeasuring();
    this.#measure();
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { broker } = this.#options;
    const reign = new Reign({
      ...this.#options,
      name: this.#name,
      stream: broker.topology.names.history,
      history: this.#history,
      onStore: (problem) => this.#standing.store(problem),
      onProblem: (error) => this.#onProblem(error),
    });
    this.#reign = reign;
    this.#standing.startReading();
    try {
      await reign.run(signal);
    } finally {
      this.#reign = undefined;
      this.#options.metrics.jobs_tracker_uncertain.set(0);
      this.#standing.stopReading();
    }
  }

  #onStandby(): void {
    if (this.#isNews('turn', 'standby')) {
      this.#options.logger.info('standing by: another tracker reads');
    }
    this.#standing.standBy();
  }

  #onProblem(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    this.#standing.store(problem);
    if (this.#isNews('store', problem)) {
      this.#options.logger.error({ problem }, 'the store cannot be used; trying again');
    }
  }

  #measure(): void {
    const { metrics } = this.#options;
    metrics.jobs_tracker_active.set(this.#reign ? 1 : 0);
    metrics.jobs_tracker_lag_seconds.set((this.#reign?.lagMs(Date.now()) ?? 0) / 1_000);
  }
}
