import { BrokerUnavailableError, QueueMissingError } from '@warren/contracts';
import type { QueueMigration, Topology } from '@warren/topology';
import type { ChannelModel } from 'amqplib';
import { type BrowseOptions, browse, depthOn, nacksInOrder } from './browse.ts';
import { compareTopology, type TopologyDifference } from './compare-topology.ts';
import { SupervisedConnection } from './connection.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { Consumer, type ConsumerOptions } from './consumer.ts';
import { declareTopology } from './declare.ts';
import { isDeletedUnder } from './deleted-under.ts';
import { refuseLocked, takeLock } from './lock.ts';
import {
  type MigrateOptions,
  type MigrationReport,
  type MigrationState,
  migrateQueue,
  migrationState,
} from './migrate-queue.ts';
import { type PublishCheck, publishCheck } from './publish-check.ts';
import { Publisher } from './publisher.ts';
import type { PublisherOptions } from './publisher-options.ts';
import { type QueueFigures, queueFigures } from './queue-figures.ts';
import { onQuietChannel } from './quiet-channel.ts';
import { within } from './within.ts';

/** What a session needs. */
export interface SessionOptions {
  readonly connection: ConnectionSettings;
  /** Who it is, shown in the broker's console. */
  readonly service: string;
  readonly publisher?: PublisherOptions | undefined;
}

const OPEN_TIMEOUT_MS = 30_000;
const DECLARE_TIMEOUT_MS = 60_000;

/**
 * One connection for one piece of work of an operator: it consumes, publishes and holds locks on the same connection, and
 * is over when that is lost. Unlike `Broker` it never comes back by itself, since its locks would not.
 */
export class BrokerSession {
  readonly publisher: Publisher;
  readonly #connection: SupervisedConnection;
  readonly #raw: ChannelModel;
  readonly #lost = new AbortController();
  readonly #consumers: Consumer[] = [];
  #closed = false;

  private constructor(
    connection: SupervisedConnection,
    raw: ChannelModel,
    publisher: PublisherOptions | undefined,
  ) {
    this.#connection = connection;
    this.#raw = raw;
    this.publisher = new Publisher(connection, publisher);
    this.publisher.start();
    connection.onDown(() => this.#onDown());
  }

  /**
   * Connects to the first host that answers.
   * @throws BrokerUnavailableError when each was tried once, or after 30 seconds; ConfigInvalidError
   */
  static async open(options: SessionOptions): Promise<BrokerSession> {
    const { connection: settings, service, publisher } = options;
    let give: (problem: string) => void = () => {};
    const failed = new Promise<string>((resolve) => {
      give = resolve;
    });
    let failures = 0;
    const onConnectFailed = (_: string, reason: string) => {
      failures += 1;
      if (failures >= settings.urls.length) give(reason);
    };
    const events = { onConnectFailed };
    const connection = new SupervisedConnection('session', settings, { service, events });
    const up = new Promise<ChannelModel>((resolve) => {
      connection.onUp(resolve);
    });
    const first = await within(OPEN_TIMEOUT_MS, Promise.race([up, failed])).catch(
      (error: unknown) => (error as Error).message,
    );
    if (typeof first !== 'string') return new BrokerSession(connection, first, publisher);
    await connection.close();
    throw new BrokerUnavailableError(first);
  }

  /** Aborted, with a BrokerUnavailableError as its reason, when the connection is lost; not when it is closed. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Why the broker takes no messages; undefined when it does. */
  get blockedReason(): string | undefined {
    return this.#connection.blockedReason;
  }

  /** The broker's version such as `3.10.8`; undefined where it does not say. */
  get serverVersion(): string | undefined {
    return this.#connection.serverVersion;
  }

  /**
   * Messages ready in a queue.
   * @throws QueueMissingError
   */
  depth(queue: string): Promise<number> {
    return onQuietChannel(this.#raw, (channel) => depthOn(channel, queue));
  }

  /** As `queueFigures`. */
  figures(queues: readonly string[]): Promise<ReadonlyMap<string, QueueFigures | undefined>> {
    return within(DECLARE_TIMEOUT_MS, queueFigures(this.#raw, queues));
  }

  /**
   * As `browse`: looks at messages and gives all back.
   * @throws QueueMissingError also where its deletion took the connection along; whatever the connection was lost with
   */
  async browse(queue: string, options: Omit<BrowseOptions, 'nacks'>): Promise<number> {
    try {
      return await browse(this.#raw, queue, { ...options, nacks: this.#nacks });
    } catch (error) {
      if (!this.lost.aborted) throw error;
      const lost = this.lost.reason as Error;
      throw isDeletedUnder(lost.message, queue) ? new QueueMissingError(queue) : lost;
    }
  }

  get #nacks(): boolean {
    return nacksInOrder(this.#connection.serverVersion);
  }

  /** As `publishCheck`: says whether a message could be sent on this connection. */
  publishCheck(): Promise<PublishCheck> {
    return within(DECLARE_TIMEOUT_MS, publishCheck(this.#raw));
  }

  /** As `takeLock`: held until this session ends. */
  lock(name: string, holder: string): Promise<void> {
    return within(DECLARE_TIMEOUT_MS, takeLock(this.#raw, name, holder));
  }

  /** As `refuseLocked`. */
  refuseLocked(name: string): Promise<void> {
    return within(DECLARE_TIMEOUT_MS, refuseLocked(this.#raw, name));
  }

  /** A consumer of a queue that must exist; it is started by its caller and closed with the session. */
  consume(options: ConsumerOptions): Consumer {
    const consumer = new Consumer(this.#connection, options, {
      declared: Promise.resolve(),
      repair: () => Promise.resolve(),
    });
    this.#consumers.push(consumer);
    return consumer;
  }

  /** Closes a consumer of this session: what is out is back in the queue, in the order in which it came. */
  async giveBack(consumer: Consumer): Promise<void> {
    if (!this.lost.aborted) await consumer.giveBack(this.#nacks);
    await consumer.close();
  }

  /** @throws TopologyMismatchError */
  declare(topology: Topology): Promise<void> {
    return within(DECLARE_TIMEOUT_MS, declareTopology(this.#raw, topology));
  }

  /** As `compareTopology`. */
  compare(topology: Topology): Promise<TopologyDifference[]> {
    return within(DECLARE_TIMEOUT_MS, compareTopology(this.#raw, topology));
  }

  /** As `migrationState`. */
  migrationState(migration: QueueMigration): Promise<MigrationState> {
    return within(DECLARE_TIMEOUT_MS, migrationState(this.#raw, migration));
  }

  /**
   * As `migrateQueue`, under the migration's locks.
   * @throws LockHeldError
   */
  async migrate(
    migration: QueueMigration,
    holder: string,
    options?: MigrateOptions,
  ): Promise<MigrationReport> {
    const who = `${holder}, who migrates ${migration.queue.name}`;
    for (const lock of migration.locks) await this.lock(lock, who);
    return migrateQueue(this.#raw, this, migration, options);
  }

  /** Acks what is due and ends the connection; what is out goes back. Bounded. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.all(this.#consumers.map((consumer) => consumer.close()));
    // Without a connection its last answers never come.
    if (!this.lost.aborted) await this.publisher.close();
    await this.#connection.close();
  }

  #onDown(): void {
    if (this.#closed) return;
    this.#lost.abort(new BrokerUnavailableError(this.#connection.problem));
    void this.close();
  }
}
