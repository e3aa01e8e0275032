import type { Broker, OutgoingMessage, PublisherOptions } from '@warren/broker';
import { HistoryWriter, type SpoolLimits } from '@warren/history';
import type { Logger, Metrics } from '@warren/telemetry';
import type { HistoryBounds } from '@warren/topology';
import { type CancelOptions, cancelMessage } from './cancel-request.ts';
import { queuedEvent } from './queued-event.ts';
import { JobWaits } from './waiting/job-waits.ts';
import type { WaitOptions } from './waiting/wait-options.ts';

/** How a client keeps the history. The bounds must be those of all other processes of the installation. */
export type ClientHistoryOptions = HistoryBounds & {
  /** What may wait in memory while the broker is away. */
  readonly spool?: Partial<SpoolLimits> | undefined;
};

/**
 * A client's part in the history: tells that jobs are queued, asks for their end, waits for it. It has a channel of its own,
 * so that it takes no room from the jobs.
 */
export class ClientHistory {
  readonly #broker: Broker;
  readonly #service: string;
  readonly #publisher: ReturnType<Broker['openPublisher']>;
  readonly #writer: HistoryWriter;
  readonly #waits: JobWaits;

  constructor(options: {
    broker: Broker;
    service: string;
    logger: Logger;
    metrics: Metrics;
    publish: PublisherOptions | undefined;
    spool: Partial<SpoolLimits> | undefined;
  }) {
    const { broker, service, logger, metrics, publish, spool } = options;
    const { names } = broker.topology;
    this.#broker = broker;
    this.#service = service;
    this.#publisher = broker.openPublisher(publish);
    this.#writer = new HistoryWriter({
      publisher: this.#publisher,
      exchange: names.lifecycle,
      service,
      logger,
      metrics,
      limits: spool,
    });
    this.#waits = new JobWaits({ broker, stream: names.history, logger, metrics });
  }

  /** The broker has confirmed a job. */
  confirmed(message: OutgoingMessage): void {
    const event = queuedEvent(message, Date.now());
    if (event) this.#writer.record(event);
  }

  /** Resolves with true when what was told so far is confirmed or given up, with false after so many ms. */
  whenTold(timeoutMs: number): Promise<boolean> {
    return this.#writer.whenTold(timeoutMs);
  }

  /** Resolves when the request is stored at the broker. */
  async cancel(id: string, options: CancelOptions = {}): Promise<void> {
    const stream = this.#broker.topology.names.cancels;
    await this.#publisher.publish(cancelMessage(stream, this.#service, id, options, Date.now()));
  }

  wait(id: string, options: WaitOptions): Promise<unknown> {
    return this.#waits.wait(id, options);
  }

  /** Ends all waits and tells what is left to tell. Bounded. Call it when no publish is under way any more. */
  async close(): Promise<void> {
    await Promise.all([this.#waits.close(), this.#writer.close()]);
  }
}
