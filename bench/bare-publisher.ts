import { randomUUID } from 'node:crypto';
import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { BenchPayload } from './payload.ts';
import type { QueuePlace } from './systems/place.ts';
import { type PayloadAt, WINDOW } from './systems/system.ts';

/** Publishes as a careful hand would write it: persistent, mandatory, confirmed. A returned message fails all that follow. */
export class BarePublisher {
  readonly #channel: ConfirmChannel;
  readonly #place: QueuePlace;
  #returned: Error | undefined;

  private constructor(channel: ConfirmChannel, place: QueuePlace) {
    this.#channel = channel;
    this.#place = place;
    channel.on('return', () => {
      this.#returned = new Error('a message was returned');
    });
  }

  static async open(connection: ChannelModel, place: QueuePlace): Promise<BarePublisher> {
    return new BarePublisher(await connection.createConfirmChannel(), place);
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
    this.#channel.publish(
      this.#place.exchange,
      this.#place.routingKey,
      Buffer.from(JSON.stringify(payload)),
      {
        persistent: true,
        mandatory: true,
        messageId: randomUUID(),
        type: this.#place.routingKey,
        contentType: 'application/json',
        timestamp: Math.floor(Date.now() / 1_000),
      },
      (error: Error | null) => onConfirm(error ?? this.#returned),
    );
  }
}
