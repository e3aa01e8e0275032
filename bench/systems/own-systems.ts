import type { AckStyle } from '../bare-consumer.ts';
import { benchJobs } from '../job.ts';
import { AmqplibSystem } from './amqplib.ts';
import { placeIn, routesIn } from './queues.ts';
import { type WarrenSpec, WarrenSystem } from './warren.ts';

/** Warren, with what a scenario varies. */
export function warren(
  url: string,
  namespace: string,
  switches: Pick<WarrenSpec, 'history' | 'many' | 'telemetry' | 'jobTypes'>,
): WarrenSystem {
  return new WarrenSystem({ kind: 'warren', url, namespace, ...switches });
}

/**
 * Hand-written amqplib on the queues that Warren declares in that namespace.
 * @param jobTypes how many its jobs are of, in turn
 */
export function amqplibByHand(
  url: string,
  namespace: string,
  acks: AckStyle,
  jobTypes = 1,
): AmqplibSystem {
  const types = benchJobs(jobTypes).map(({ type }) => type);
  const [place, routes] = [placeIn(url, namespace), routesIn(namespace, types)];
  return new AmqplibSystem({ kind: 'amqplib', place, routes, acks });
}
