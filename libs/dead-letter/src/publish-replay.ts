import type { BrokerSession, Delivery, OutgoingMessage, ReceivedMessage } from '@warren/broker';
import { isTracing, traceReplay } from '@warren/telemetry';
import { type ReplayWay, replayCopy } from './replay-copy.ts';

/** One dead letter that is replayed. */
export interface Replayed {
  readonly delivery: Delivery;
  readonly received: ReceivedMessage;
  readonly to: ReplayWay;
  readonly atMs: number;
  /** In place of its own. */
  readonly body?: Buffer | undefined;
}

/**
 * Publishes the copy of a dead letter, within a span where they are collected. Resolves when it is confirmed.
 * @returns the id of the job
 * @throws as the publisher does
 */
export async function publishReplay(
  { publisher }: Pick<BrokerSession, 'publisher'>,
  replayed: Replayed,
): Promise<string> {
  const publish = async (span?: string) => {
    const copy = copyOf(replayed, span);
    await publisher.publish(copy);
    return copy.properties.messageId;
  };
  if (!isTracing()) return publish();
  const { received, delivery, to } = replayed;
  const { headers } = delivery.message.properties;
  const letter = {
    ...delivery.message.fields,
    ...received,
    jobType: to.type ?? received.type,
    tracestate: (headers as Readonly<Record<string, unknown>> | undefined)?.['tracestate'],
    waitMs: undefined,
  };
  return traceReplay(letter, { exchange: to.exchange, routingKey: to.queue }, publish);
}

function copyOf({ delivery, received, to, atMs, body }: Replayed, span?: string): OutgoingMessage {
  const copy = replayCopy(delivery, received, to, atMs, span);
  return body ? { ...copy, body } : copy;
}
