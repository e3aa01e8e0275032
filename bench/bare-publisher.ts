import { randomUUID } from 'node:crypto';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { BenchPayload } from './payload.ts';
import type { Route } from './systems/place.ts';
import { type PayloadAt, WINDOW } from './systems/system.ts';

/** Publishes as a careful hand would write it: persistent, mandatory, confirmed. A returned message fails all that follow. */
export class BarePublisher {
  readonly #channel: ConfirmChannel;
  readonly #exchange: string;
  readonly #routes: readonly Route[];
  #returned: Error | undefined;

  private constructor(channel: ConfirmChannel, exchange: string, routes: readonly Route[]) {
    this.#channel = channel;
    this.#exchange = exchange;
    this.#routes = routes;
    channel.on('return', () => {
      this.#returned = new Error('a message was returned');
    });
  }

  /** @param routes what its jobs are published to, in turn */
  static async open(
    connection: ChannelModel,
    exchange: string,
    routes: readonly Route[],
  ): Promise<BarePublisher> {
    return new BarePublisher(await connection.createConfirmChannel(), exchange, routes);
  }

  /** Resolves when the broker has confirmed it. */
  publish(payload: BenchPayload): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#send(payload, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** Publishes `count` jobs with at most WINDOW unconfirmed; resolves when all are confirmed. */
  publishMany(count: number, payloadAt: PayloadAt): Promise<void> {
    return new Promise((resolve, reject) => {
      let sent = 0;
      let confirmed = 0;
      const onConfirm = (error: Error | undefined) => {
        if (error) return reject(error);
        confirmed += 1;
        if (confirmed === count) resolve();
        else fill();
      };
      const fill = () => {
        while (sent < count && sent - confirmed < WINDOW) {
          sent += 1;
          this.#send(payloadAt(sent - 1), onConfirm);
        }
      };
      fill();
    });
  }

  #send(payload: BenchPayload, onConfirm: (error: Error | undefined) => void): void {
    const routingKey = this.#routes[payload.order % this.#routes.length]?.routingKey ?? '';
    this.#channel.publish(
      this.#exchange,
      routingKey,
      Buffer.from(JSON.stringify(payload)),
      {
        persistent: true,
        mandatory: true,
        messageId: randomUUID(),
        type: routingKey,
        contentType: 'application/json',
        timestamp: Math.floor(Date.now() / 1_000),
      },
      (error: Error | null) => onConfirm(error ?? this.#returned),
    );
  }
}
