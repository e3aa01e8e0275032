import { BrokerSession } from '@warren/broker';
import { buildTopology, type Topology } from '@warren/topology';
import amqplib, { type ChannelModel } from 'amqplib';
import { benchJob } from './job.ts';

/** The same queues as the kit's, used by hand-written amqplib. */
export class BareInstallation {
  readonly topology: Topology;
  readonly #url: string;

  /** @param jobTypes the names of all that `dispose` removes */
  constructor(url: string, namespace: string, jobTypes: readonly string[] = [benchJob.type]) {
    this.#url = url;
    this.topology = buildTopology({ namespace, jobTypes, history: {} });
  }

  static async versionOf(url: string): Promise<string> {
    const connection = await amqplib.connect(url);
    const { version } = connection.connection.serverProperties;
    await connection.close();
    return version;
  }

  get queue(): string {
    return this.topology.names.workQueue(benchJob.type);
  }

  /** Declares all of it, as a worker would that comes first. */
  async declare(): Promise<void> {
    const session = await BrokerSession.open({
      connection: { urls: [this.#url] },
      service: 'bench',
    });
    await session.declare(this.topology);
    await session.close();
  }

  connect(): Promise<ChannelModel> {
    return amqplib.connect(this.#url, { noDelay: true });
  }

  /**
   * Empties and removes everything. A queue that held a million messages may take longer to go than RabbitMQ 3.10 waits for it:
   * then that closes the connection, and the queue is gone soon after.
   */
  async dispose(): Promise<void> {
    await this.#remove().catch(() => this.#remove());
  }

  async #remove(): Promise<void> {
    const connection = await this.connect();
    // What was asked for rejects with the same.
    connection.on('error', () => {});
    const channel = await connection.createChannel();
    for (const { name } of this.topology.queues) await channel.deleteQueue(name);
    for (const { name } of this.topology.exchanges) await channel.deleteExchange(name);
    await connection.close();
  }
}
