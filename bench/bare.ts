import { randomUUID } from 'node:crypto';
import { buildTopology, type Topology } from '@warren/topology';
import amqplib, { type ChannelModel } from 'amqplib';
import { benchJob, payload } from './payload.ts';

/** Publishes in flight at once, on both sides. */
export const WINDOW = 1_000;

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

  connect(): Promise<ChannelModel> {
    return amqplib.connect(this.#url, { noDelay: true });
  }

  /** Publishes `count` jobs with at most WINDOW unconfirmed, as a careful hand would write it. */
  async publish(connection: ChannelModel, count: number): Promise<void> {
    const channel = await connection.createConfirmChannel();
    await new Promise<void>((resolve, reject) => {
      let sent = 0;
      let confirmed = 0;
      channel.on('return', () => reject(new Error('returned')));
      const fill = () => {
        while (sent < count && sent - confirmed < WINDOW) {
          sent += 1;
          channel.publish(
            this.topology.names.jobs,
            benchJob.type,
            Buffer.from(JSON.stringify(payload)),
            {
              persistent: true,
              mandatory: true,
              messageId: randomUUID(),
              type: benchJob.type,
              contentType: 'application/json',
              timestamp: Math.floor(Date.now() / 1_000),
            },
            (error) => {
              if (error) reject(error as Error);
              confirmed += 1;
              if (confirmed === count) resolve();
              else fill();
            },
          );
        }
      };
      fill();
    });
    await channel.close();
  }

  /** Empties and removes everything. */
  async dispose(): Promise<void> {
    const connection = await this.connect();
    const channel = await connection.createChannel();
    for (const { name } of this.topology.queues) await channel.deleteQueue(name);
    for (const { name } of this.topology.exchanges) await channel.deleteExchange(name);
    await connection.close();
  }
}
