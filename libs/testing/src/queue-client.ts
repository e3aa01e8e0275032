import { Broker, type Consumer, type ConsumerOptions, type Delivery } from '@warren/broker';
import { newJobId } from '@warren/contracts';
import type { Topology } from '@warren/topology';
import { eventually } from './eventually.ts';

/** One queue, published to and consumed below the worker: deliveries are the test's own to settle. */
export interface QueueClient {
  readonly broker: Broker;
  readonly consumer: Consumer;
  /** Every delivery so far. */
  readonly deliveries: readonly Delivery[];
  /** Publishes messages with these bodies to the queue. */
  send(...bodies: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Consumes the work queue of a job type; resolves when the broker shows the consumer. */
export async function consumeQueue(
  { url, topology, type }: { url: string; topology: Topology; type: string },
  options: Pick<ConsumerOptions, 'prefetch'> & Partial<ConsumerOptions>,
): Promise<QueueClient> {
  const queue = topology.names.workQueue(type);
  const deliveries: Delivery[] = [];
  const broker = new Broker({ connection: { urls: [url] }, service: 'test', topology });
  const consumer = broker.consume({
    queue,
    ...options,
    onDelivery(delivery) {
      deliveries.push(delivery);
      options.onDelivery?.(delivery);
    },
  });
  consumer.start();
  await eventually('the queue is consumed', () => consumer.problem === undefined);
  const publish = (body: string) =>
    broker.publisher.publish({
      exchange: topology.names.due,
      routingKey: queue,
      body: Buffer.from(body),
      properties: { messageId: newJobId(), persistent: true, mandatory: true },
    });
  return {
    broker,
    consumer,
    deliveries,
    send: async (...bodies) => void (await Promise.all(bodies.map(publish))),
    close: () => broker.close(),
  };
}
