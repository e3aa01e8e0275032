import type { AckStyle } from '../bare-consumer.ts';
import { AmqplibSystem } from './amqplib.ts';
import { placeIn } from './queues.ts';
import { type WarrenSpec, WarrenSystem } from './warren.ts';

/** Warren, with what a scenario varies. */
export function warren(
  url: string,
  namespace: string,
  switches: Pick<WarrenSpec, 'history' | 'many' | 'telemetry'>,
): WarrenSystem {
  return new WarrenSystem({ kind: 'warren', url, namespace, ...switches });
}

/** Hand-written amqplib on the queues that Warren declares in that namespace. */
export function amqplibByHand(url: string, namespace: string, acks: AckStyle): AmqplibSystem {
  return new AmqplibSystem({ kind: 'amqplib', place: placeIn(url, namespace), acks });
}
