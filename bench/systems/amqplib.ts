import amqplib from 'amqplib';
import { type AckStyle, BATCH, bareConsume, bestPrefetch } from '../bare-consumer.ts';
import { BarePublisher } from '../bare-publisher.ts';
import type { QueuePlace, Route } from './place.ts';
import { QUORUM_CONFIRMED, removePlace, resetPlace } from './queue-place.ts';
import {
  type BenchPublisher,
  type BenchWorker,
  type JobSystem,
  type OnJob,
  WINDOW,
} from './system.ts';

/** How hand-written code is run; plain data. */
export interface AmqplibSpec {
  readonly kind: 'amqplib';
  readonly place: QueuePlace;
  /** The queues that its jobs are spread over, in turn. */
  readonly routes: readonly Route[];
  readonly acks: AckStyle;
}

/** The same queues, used by hand-written amqplib that does nothing but the work. */
export class AmqplibSystem implements JobSystem {
  readonly name: string;
  readonly durability = QUORUM_CONFIRMED;
  readonly settings: string;
  readonly share = 1;
  readonly source;
  readonly #spec: AmqplibSpec;

  constructor(spec: AmqplibSpec) {
    this.#spec = spec;
    this.name = `amqplib, ${spec.acks}`;
    const acks = spec.acks === 'single acks' ? 'an ack per job' : `an ack per ${BATCH} jobs`;
    this.settings = `no schema, no retries, no history; ${acks}, prefetch ${bestPrefetch(1)} or the concurrency; ${WINDOW} publishes in flight`;
    this.source = { program: 'bench/systems/program.ts', spec };
  }

  prepare(): Promise<void> {
    return resetPlace(this.#spec.place, this.#spec.routes);
  }

  async publisher(): Promise<BenchPublisher> {
    const { place, routes } = this.#spec;
    const connection = await amqplib.connect(place.url, { noDelay: true });
    const publisher = await BarePublisher.open(connection, place.exchange, routes);
    return {
      publish: (payload) => publisher.publish(payload),
      publishMany: (count, payloadAt) => publisher.publishMany(count, payloadAt),
      close: () => connection.close(),
    };
  }

  async worker(onJob: OnJob, concurrency: number): Promise<BenchWorker> {
    const { place, routes, acks } = this.#spec;
    const connection = await amqplib.connect(place.url, { noDelay: true });
    const queues = routes.map(({ queue }) => queue);
    const end = await bareConsume(connection, queues, {
      style: acks,
      prefetch: bestPrefetch(concurrency),
      onJob: ({ order }) => onJob({ order, attempt: 1 }),
    });
    return { stop: () => end().then(() => connection.close()) };
  }

  dispose(): Promise<void> {
    return removePlace(this.#spec.place, this.#spec.routes);
  }
}
