import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { BrokerUnavailableError } from '@warren/contracts';
import type { Topology, TopologyStep } from '@warren/topology';
import { type ConnectionEvents, SupervisedConnection } from './connection.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { Consumer, type ConsumerOptions } from './consumer.ts';
import { declareTopology } from './declare.ts';
import { Publisher } from './publisher.ts';
import type { PublisherEvents, PublisherOptions } from './publisher-options.ts';
import { type QueueFigures, queueFigures } from './queue-figures.ts';
import { isAtLeast } from './server-version.ts';
import { StreamReader, type StreamReaderOptions } from './stream-reader.ts';
import { within } from './within.ts';

/** What `connectBroker` needs. */
export interface BrokerOptions {
  readonly connection: ConnectionSettings;
  /** Name of the service, shown in the broker's console. */
  readonly service: string;
  readonly topology: Topology;
  readonly publisher?: PublisherOptions | undefined;
  readonly events?: BrokerEvents | undefined;
}

/** For logs and metrics. */
export interface BrokerEvents extends ConnectionEvents, Pick<PublisherEvents, 'onOutcome'> {
  onDeclared?(): void;
  /** The topology could not be declared as it should be; repeated every 30 s. */
  onDeclareFailed?(problem: string): void;
}

const DECLARE_TIMEOUT_MS = 30_000;
const DECLARE_AGAIN_MS = 30_000;
const FIGURES_TIMEOUT_MS = 10_000;
const REPAIR_TIMEOUT_MS = 5_000;
const REPAIR_EVERY_MS = 1_000;
/** A connection comes back within 5 s, once the broker has. */
const PUBLISHING_WITHIN_MS = 10_000;

/**
 * Everything one process does at the broker: one connection to publish, and, when something is consumed, another one, so
 * that a broker that stops reading from publishers still gets the acks.
 */
export class Broker {
  readonly topology: Topology;
  readonly publisher: Publisher;
  readonly #options: BrokerOptions;
  readonly #publishConnection: SupervisedConnection;
  readonly #consumers: Consumer[] = [];
  readonly #streamReaders = new Set<StreamReader>();
  readonly #furtherPublishers = new Set<Publisher>();
  /** Says `open` when the publisher's channel is. As many wait as there are consumers. */
  readonly #publishing = new EventEmitter().setMaxListeners(0);
  #consumeConnection: SupervisedConnection | undefined;
  readonly #firstDeclared: Promise<void>;
  #onFirstDeclared: () => void = () => {};
  #declaring: Promise<void> | undefined;
  #declareProblem: string | undefined = 'the topology is not declared yet';
  /** When the topology was last gone through, whether or not that went well; of the clock that is never set. */
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #repairing: Promise<string | undefined> | undefined;
  #declareTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.topology = options.topology;
    this.#firstDeclared = new Promise((resolve) => {
      this.#onFirstDeclared = resolve;
    });
    this.#publishConnection = this.#connect('publish');
    this.publisher = new Publisher(this.#publishConnection, options.publisher, {
      ...options.events,
      repair: () => this.repair(),
      onOpen: () => this.#publishing.emit('open'),
    });
    this.#publishConnection.onUp(() => this.#declareFirst());
  }

  /** Gives deliveries back without counting against them: a nack does so from RabbitMQ 4.3, a nack before it counts. */
  get nackIsFree(): boolean {
    return isAtLeast(this.#publishConnection.serverVersion, 4, 3);
  }

  get blockedReason(): string | undefined {
    return this.#publishConnection.blockedReason;
  }

  /** Begins to consume a queue, now or as soon as there is a broker. */
  consume(options: ConsumerOptions): Consumer {
    this.#consumeConnection ??= this.#connect('consume');
    const consumer = new Consumer(this.#consumeConnection, options, {
      declared: this.#firstDeclared,
      repair: () => this.repair(),
      mayBegin: () => this.#whenPublishing(),
    });
    this.#consumers.push(consumer);
    return consumer;
  }

  /**
   * A reader of a stream, started by its caller; closed with the broker, if not before. It does not count in `checks`: jobs
   * need no stream.
   */
  readStream(options: StreamReaderOptions): StreamReader {
    this.#consumeConnection ??= this.#connect('consume');
    const reader = new StreamReader(this.#consumeConnection, options, {
      declared: this.#firstDeclared,
      repair: () => this.repair(),
      onClosed: () => this.#streamReaders.delete(reader),
    });
    this.#streamReaders.add(reader);
    return reader;
  }

  /**
   * Another publisher on the same connection, with a channel and bounds of its own; closed with the broker, if not before by
   * `end`. It does not count in `checks`.
   */
  openPublisher(options?: PublisherOptions, onOutcome?: PublisherEvents['onOutcome']): Publisher {
    const publisher = new Publisher(this.#publishConnection, options, {
      ...(onOutcome && { onOutcome }),
      repair: () => this.repair(),
      onEnded: () => this.#furtherPublishers.delete(publisher),
    });
    this.#furtherPublishers.add(publisher);
    void this.#firstDeclared.then(() => publisher.start());
    return publisher;
  }

  /**
   * What the broker says of queues; undefined for one that does not exist. Bounded.
   * @throws BrokerUnavailableError
   */
  async figures(queues: readonly string[]): Promise<ReadonlyMap<string, QueueFigures | undefined>> {
    const { current, problem } = this.#publishConnection;
    if (!current) throw new BrokerUnavailableError(problem);
    try {
      return await within(FIGURES_TIMEOUT_MS, queueFigures(current, queues));
    } catch (error) {
      throw new BrokerUnavailableError(error instanceof Error ? error.message : String(error));
    }
  }

  /**
   * Declares the topology (again). Calls at the same time share one run.
   * @throws TopologyMismatchError, or an error when there is no connection
   */
  declare(): Promise<void> {
    this.#declaring ??= this.#declare().finally(() => {
      this.#declaring = undefined;
    });
    return this.#declaring;
  }

  /**
   * Declares a part of the topology again, beside all that goes on. Bounded.
   * @throws TopologyMismatchError, or an error when there is no connection or the broker refused
   */
  async declareAgain(steps: readonly TopologyStep[]): Promise<void> {
    const connection = this.#consumeConnection?.current ?? this.#publishConnection.current;
    if (!connection) throw new Error(this.#publishConnection.problem);
    await within(
      DECLARE_TIMEOUT_MS,
      declareTopology(connection, { steps, names: this.topology.names }),
    );
  }

  /**
   * Declares again what seems to be missing, and resolves with what is wrong with the topology then, as `checks` tells.
   * Bounded, never rejects. Once a second at most, however many messages find the same queue missing: later ones wait for
   * their turn.
   */
  repair(): Promise<string | undefined> {
    this.#repairing ??= this.#repair().finally(() => {
      this.#repairing = undefined;
    });
    return this.#repairing;
  }

  /** What is wrong, by part; `ok` where nothing is. */
  checks(): Record<string, string> {
    const checks: Record<string, string> = {
      broker: this.#connectionProblem() ?? 'ok',
      publisher: this.publisher.isOpen ? 'ok' : 'its channel is not open yet',
      topology: this.#declareProblem ?? 'ok',
    };
    for (const consumer of this.#consumers) {
      checks[`consumer ${consumer.queue}`] = consumer.problem ?? 'ok';
    }
    return checks;
  }

  /** Closes consumers, waits for publishes under way (each has its deadline), closes both connections. Bounded. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    clearTimeout(this.#declareTimer);
    // Without consumers, whose last moves it may have to take, the publisher refuses from this very moment.
    if (this.#consumers.length + this.#streamReaders.size > 0) {
      await Promise.all([...this.#consumers, ...this.#streamReaders].map((one) => one.close()));
    }
    await Promise.all([this.publisher, ...this.#furtherPublishers].map((one) => one.close()));
    await Promise.all([this.#publishConnection.close(), this.#consumeConnection?.close()]);
  }

  #connectionProblem(): string | undefined {
    const { current, problem, blockedReason } = this.#publishConnection;
    if (!current) return problem;
    return blockedReason ? `blocked: ${blockedReason}` : undefined;
  }

  /**
   * What is consumed while nothing can be published could not be moved, and what is told of it would be lost with this
   * process. Bounded, and no reason to wait where the broker blocks: then it would not be heard for long.
   */
  async #whenPublishing(): Promise<void> {
    if (this.publisher.isOpen || this.blockedReason !== undefined) return;
    const signal = AbortSignal.timeout(PUBLISHING_WITHIN_MS);
    await once(this.#publishing, 'open', { signal }).catch(() => {});
  }

  async #repair(): Promise<string | undefined> {
    const restMs = this.#triedAtMs + REPAIR_EVERY_MS - performance.now();
    if (restMs > 0) await pause(restMs);
    await within(REPAIR_TIMEOUT_MS, this.declare()).catch(() => {});
    return this.#declareProblem;
  }

  #connect(name: 'publish' | 'consume'): SupervisedConnection {
    const { connection, service, events } = this.#options;
    return new SupervisedConnection(name, connection, { service, ...(events && { events }) });
  }

  /** The first connection declares before anything is published; later ones only when something is known to be wrong. */
  #declareFirst(): void {
    if (this.#declareProblem === undefined) return;
    this.declare()
      .catch(() => {})
      .finally(() => {
        this.#onFirstDeclared();
        this.publisher.start();
      });
  }

  #declareLater(): void {
    clearTimeout(this.#declareTimer);
    if (this.#closing) return;
    this.#declareTimer = setTimeout(() => this.#declareFirst(), DECLARE_AGAIN_MS).unref();
  }

  async #declare(): Promise<void> {
    // A connection that publishes may be blocked, and then answers no declaration either.
    const connection = this.#consumeConnection?.current ?? this.#publishConnection.current;
    try {
      if (!connection) throw new Error(this.#publishConnection.problem);
      await within(DECLARE_TIMEOUT_MS, declareTopology(connection, this.topology));
      this.#declareProblem = undefined;
      this.#options.events?.onDeclared?.();
    } catch (error) {
      this.#declareProblem = (error as Error).message;
      if (!this.#closing) this.#options.events?.onDeclareFailed?.(this.#declareProblem);
      this.#declareLater();
      throw error;
    } finally {
      this.#triedAtMs = performance.now();
    }
  }
}
