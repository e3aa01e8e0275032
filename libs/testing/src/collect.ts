import type { GetMessage } from 'amqplib';
import type { AmqpAdmin } from './amqp-admin.ts';
import { eventually } from './eventually.ts';

/** Takes messages out of a queue until there were `count` of them. */
export function collect(
  admin: AmqpAdmin,
  queue: string,
  count: number,
  withinMs?: number,
): Promise<GetMessage[]> {
  const messages: GetMessage[] = [];
  const probe = async () => {
    messages.push(...(await admin.take(queue)));
    return messages.length >= count && messages;
  };
  return eventually(`${count} messages in ${queue}`, probe, withinMs);
}
