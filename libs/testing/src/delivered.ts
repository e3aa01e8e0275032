import type { Delivery } from '@warren/broker';

/** Properties as amqplib hands them out: any, since anybody may publish. */
export type ReceivedProperties = Readonly<Record<string, unknown>>;

/** A delivery as far as readers and movers look at it. */
export function delivered(
  properties: ReceivedProperties,
  { body = Buffer.from('{}'), redelivered = false, receivedAtMs = 1_800_000_000_000 } = {},
): Delivery {
  const message = { content: body, fields: { redelivered }, properties };
  return { message, body, receivedAtMs, isLost: false, isSettled: false } as unknown as Delivery;
}
