import amqplib, { type Channel, type ChannelModel, type GetMessage, type Options } from 'amqplib';

/** Plain AMQP access beside the kit, as any other program has it: to look, to publish, to break things. */
export class AmqpAdmin {
  readonly #connection: ChannelModel;
  #channel: Promise<Channel> | undefined;

  private constructor(connection: ChannelModel) {
    this.#connection = connection;
  }

  static async connect(url: string): Promise<AmqpAdmin> {
    const connection = await amqplib.connect(url);
    connection.on('error', () => {});
    return new AmqpAdmin(connection);
  }

  /** Messages ready in a queue; undefined when there is no such queue. */
  async depth(queue: string): Promise<number | undefined> {
    return (await this.#check(queue))?.messageCount;
  }

  async consumers(queue: string): Promise<number | undefined> {
    return (await this.#check(queue))?.consumerCount;
  }

  /** Publishes as a foreign client would, and waits for the confirm. */
  async publish(
    exchange: string,
    routingKey: string,
    body: Buffer | string,
    options: Options.Publish = {},
  ): Promise<void> {
    const channel = await this.#connection.createConfirmChannel();
    channel.publish(exchange, routingKey, Buffer.from(body), options);
    await channel.waitForConfirms();
    await channel.close();
  }

  /** Takes all ready messages out of a queue. */
  async take(queue: string): Promise<GetMessage[]> {
    return this.run(async (channel) => {
      const messages: GetMessage[] = [];
      for (;;) {
        const message = await channel.get(queue, { noAck: true });
        if (!message) return messages;
        messages.push(message);
      }
    });
  }

  /** Runs anything on a channel; one that the broker closed is replaced for the next call. */
  async run<T>(action: (channel: Channel) => Promise<T>): Promise<T> {
    this.#channel ??= this.#open();
    return action(await this.#channel);
  }

  async close(): Promise<void> {
    await this.#connection.close().catch(() => {});
  }

  async #open(): Promise<Channel> {
    const channel = await this.#connection.createChannel();
    channel.on('error', () => {});
    channel.on('close', () => {
      this.#channel = undefined;
    });
    return channel;
  }

  async #check(queue: string) {
    try {
      return await this.run((channel) => channel.checkQueue(queue));
    } catch (error) {
      if ((error as { code?: unknown }).code === 404) return undefined;
      throw error;
    }
  }
}
