import rascal from 'rascal';
import { bestPrefetch } from '../../bare-consumer.ts';
import type { BenchPayload } from '../../payload.ts';
import type { QueuePlace } from '../../systems/place.ts';
import { QUORUM_CONFIRMED, removePlace, resetPlace } from '../../systems/queue-place.ts';
import {
  type BenchPublisher,
  type BenchWorker,
  type JobSystem,
  type OnJob,
  publishWindowed,
  WINDOW,
} from '../../systems/system.ts';

/** How rascal is run; plain data. */
export interface RascalSpec {
  readonly kind: 'rascal';
  readonly place: QueuePlace;
}

type AckOrNack = (error?: Error) => void;

/** rascal with its own default configuration, on the queues that Warren declares. */
export class RascalSystem implements JobSystem {
  readonly name = 'rascal';
  readonly durability = QUORUM_CONFIRMED;
  readonly settings =
    `withDefaultConfig: a pool of up to five confirm channels, persistent and mandatory; ${WINDOW} in flight; prefetch ${bestPrefetch(1)} or the concurrency instead of its 10; an ack per job; no retries`;
  readonly share = 0.5;
  readonly source;
  readonly #spec: RascalSpec;

  constructor(spec: RascalSpec) {
    this.#spec = spec;
    this.source = { program: 'bench/peers/systems/program.ts', spec };
  }

  prepare(): Promise<void> {
    return resetPlace(this.#spec.place);
  }

  async publisher(): Promise<BenchPublisher> {
    const broker = await this.#connect({
      publications: {
        bench: { exchange: this.#spec.place.exchange, routingKey: this.#spec.place.routingKey },
      },
    });
    const publish = async (payload: BenchPayload): Promise<void> => {
      const publication = await broker.publish('bench', payload);
      await new Promise<void>((resolve, reject) => {
        publication.once('success', () => resolve());
        publication.once('error', reject);
        publication.once('return', () => reject(new Error('a message was returned')));
      });
    };
    return {
      publish,
      publishMany: (count, payloadAt) => publishWindowed(publish, count, payloadAt, WINDOW),
      close: () => broker.shutdown(),
    };
  }

  async worker(onJob: OnJob, concurrency: number): Promise<BenchWorker> {
    const broker = await this.#connect({
      subscriptions: {
        bench: { queue: this.#spec.place.queue, prefetch: bestPrefetch(concurrency) },
      },
    });
    const handler = async ({ order }: BenchPayload) => onJob({ order, attempt: 1 });
    const subscription = await broker.subscribe('bench');
    subscription.on('message', (_message: unknown, content: BenchPayload, ackOrNack: AckOrNack) => {
      handler(content).then(() => ackOrNack(), ackOrNack);
    });
    subscription.on('error', (error: Error) => process.stderr.write(`rascal: ${error.message}\n`));
    return { stop: () => broker.shutdown() };
  }

  dispose(): Promise<void> {
    return removePlace(this.#spec.place);
  }

  async #connect(ends: object) {
    const { url, exchange, queue } = this.#spec.place;
    const config = rascal.withDefaultConfig({
      vhosts: {
        '/': {
          connection: url,
          exchanges: { [exchange]: { assert: false, check: true } },
          queues: { [queue]: { assert: false, check: true } },
          ...ends,
        },
      },
    });
    const broker = await rascal.BrokerAsPromised.create(config);
    broker.on('error', (error: Error) => process.stderr.write(`rascal: ${error.message}\n`));
    return broker;
  }
}
