import type { Channel, ChannelModel } from 'amqplib';
import { within } from './within.ts';

const ANSWER_TIMEOUT_MS = 15_000;

/** A channel whose errors are reported by the call that they belong to, and by nothing else. */
export async function quietChannel(connection: ChannelModel): Promise<Channel> {
  const channel = await connection.createChannel();
  channel.on('error', () => {});
  return channel;
}

/** Does one thing on a channel of its own, within 15 seconds. A broker that blocks its publishers answers nothing. */
export async function onQuietChannel<T>(
  connection: ChannelModel,
  action: (channel: Channel) => Promise<T>,
): Promise<T> {
  const channel = await within(ANSWER_TIMEOUT_MS, quietChannel(connection));
  const result = await within(ANSWER_TIMEOUT_MS, action(channel));
  await within(ANSWER_TIMEOUT_MS, channel.close());
  return result;
}

/** AMQP's reply code in an error of a call, such as 404. */
export function replyCodeOf(error: unknown): unknown {
  return (error as { code?: unknown }).code;
}
