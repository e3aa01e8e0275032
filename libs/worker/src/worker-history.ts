import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Breakers } from '@warren/breaker';
import type { Broker } from '@warren/broker';
import { HistoryWriter, MAX_LIMITS, type SpoolLimits } from '@warren/history';
import type { Limits } from '@warren/limiter';
import type { Logger, Metrics } from '@warren/telemetry';
import type { TopologyOptions } from '@warren/topology';
import { CircuitTeller } from './circuit-teller.ts';

/** How a worker keeps the history. The bounds must be those of all other processes of the installation. */
export type WorkerHistoryOptions = NonNullable<TopologyOptions['history']> & {
  /** What may wait in memory while the broker is away. */
  readonly spool?: Partial<SpoolLimits> | undefined;
};

/** Who is silent for 20 seconds is taken for dead. */
const BEAT_EVERY_MS = 5_000;

/** Names one worker for as long as it lives: service, host, process, and what tells two in one process apart. */
export function newWorkerId(service: string): string {
  return `${service}@${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
}

/** A worker's part in the history: what it tells with, and its heartbeats, by which its runs are known to go on. */
export class WorkerHistory {
  readonly worker: string;
  readonly sink: HistoryWriter;
  readonly circuits: CircuitTeller;
  readonly #runs: () => readonly string[];
  readonly #limits: Pick<Limits, 'view'>;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: {
    broker: Broker;
    service: string;
    worker: string;
    logger: Logger;
    metrics: Metrics;
    spool: Partial<SpoolLimits> | undefined;
    /** Ids of the runs under way. */
    runs: () => readonly string[];
    breakers: Breakers;
    limits: Pick<Limits, 'view'>;
  }) {
    const { broker, service, worker, logger, metrics, spool, runs, breakers } = options;
    this.#limits = options.limits;
    this.worker = worker;
    this.#runs = runs;
    this.sink = new HistoryWriter({
      publisher: broker.publisher,
      exchange: broker.topology.names.lifecycle,
      service,
      logger,
      metrics,
      limits: spool,
    });
    this.circuits = new CircuitTeller({
      breakers,
      worker,
      tell: (report) => this.sink.tellCircuits(report),
    });
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#beat(), BEAT_EVERY_MS).unref();
  }

  /** Tells what is left to tell. Bounded. Call it when nothing more happens to jobs, and before the broker is closed. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.circuits.close();
    this.#isClosed = true;
    this.#beat();
    await this.sink.close();
  }

  #beat(): void {
    const circuits = this.circuits.all();
    // One that ends says that it has none any more: others need not wait for its silence.
    const limits = this.#isClosed ? [] : this.#limits.view().slice(0, MAX_LIMITS);
    this.sink.beat({ worker: this.worker, atMs: Date.now(), runs: this.#runs(), circuits, limits });
  }
}
