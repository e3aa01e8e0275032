import { type Logger, type Metrics, onCollect, rememberNews } from '@warren/telemetry';

/** Writers by the metrics that they report to: those of one process are shown as their sum. */
const writers = new WeakMap<Metrics, Set<() => number>>();

/** Counts and tells how a writer fares. */
export class WriterMetrics {
  readonly #metrics: Metrics;
  readonly #logger: Logger;
  readonly #isNews = rememberNews();
  readonly #stop: () => void;
  #isDropping = false;

  constructor(
    { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
    spooled: () => number,
  ) {
    this.#metrics = metrics;
    this.#logger = logger;
    const all = writers.get(metrics) ?? new Set();
    writers.set(metrics, all);
    all.add(spooled);
    const measure = () => {
      metrics.jobs_history_spooled.set([...all].reduce((sum, one) => sum + one(), 0));
    };
    const stopCollecting = onCollect(metrics, measure);
    this.#stop = () => {
      stopCollecting();
      all.delete(spooled);
      measure();
    };
  }

  confirmed(events: number): void {
    this.#metrics.jobs_history_events_total.inc(events);
    this.#isDropping = false;
    this.#isNews('history', '');
  }

  dropped(events: number): void {
    this.#metrics.jobs_history_dropped_total.inc(events);
    if (this.#isDropping) return;
    this.#isDropping = true;
    this.#logger.warn('the history loses events: more than may wait for the broker');
  }

  failed(error: unknown): void {
    const problem = error instanceof Error ? error.message : String(error);
    if (this.#isNews('history', problem)) {
      this.#logger.warn({ problem }, 'events of the history could not be sent; trying again');
    }
  }

  close(): void {
    this.#stop();
  }
}
