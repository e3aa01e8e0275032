import { Connection } from 'rabbitmq-client';
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

/** How rabbitmq-client is run; plain data. */
export interface RabbitmqClientSpec {
  readonly kind: 'rabbitmq-client';
  readonly place: QueuePlace;
}

/** Unacknowledged messages for each handler that may run. */
const PREFETCH_FACTOR = 10;

/** rabbitmq-client's Publisher and Consumer, on the queues that Warren declares. */
export class RabbitmqClientSystem implements JobSystem {
  readonly name = 'rabbitmq-client';
  readonly durability = QUORUM_CONFIRMED;
  readonly settings =
    `Publisher with confirm and maxAttempts 2, durable and mandatory, ${WINDOW} in flight; Consumer with the concurrency, prefetch ${PREFETCH_FACTOR} times that, an ack per job; no retries`;
  readonly share = 1;
  readonly source;
  readonly #spec: RabbitmqClientSpec;

  constructor(spec: RabbitmqClientSpec) {
    this.#spec = spec;
    this.source = { program: 'bench/peers/systems/program.ts', spec };
  }

  prepare(): Promise<void> {
    return resetPlace(this.#spec.place);
  }

  async publisher(): Promise<BenchPublisher> {
    const connection = new Connection(this.#spec.place.url);
    await connection.onConnect();
    const publisher = connection.createPublisher({ confirm: true, maxAttempts: 2 });
    const envelope = {
      exchange: this.#spec.place.exchange,
      routingKey: this.#spec.place.routingKey,
      durable: true,
      mandatory: true,
    };
    const publish = (payload: BenchPayload) => publisher.send(envelope, payload);
    return {
      publish,
      publishMany: (count, payloadAt) => publishWindowed(publish, count, payloadAt, WINDOW),
      close: () => publisher.close().then(() => connection.close()),
    };
  }

  async worker(onJob: OnJob, concurrency: number): Promise<BenchWorker> {
    const connection = new Connection(this.#spec.place.url);
    await connection.onConnect();
    const consumer = connection.createConsumer(
      {
        queue: this.#spec.place.queue,
        concurrency,
        qos: { prefetchCount: concurrency * PREFETCH_FACTOR },
        // It is there already; declared otherwise it would be refused.
        queueOptions: { passive: true },
      },
      async ({ body }) => onJob({ order: (body as BenchPayload).order, attempt: 1 }),
    );
    await new Promise<void>((resolve) => consumer.once('ready', resolve));
    return { stop: () => consumer.close().then(() => connection.close()) };
  }

  dispose(): Promise<void> {
    return removePlace(this.#spec.place);
  }
}
