import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import type { BenchPayload } from './payload.ts';

/** How a hand-written consumer acknowledges. */
export type AckStyle = 'single acks' | 'batched acks';

/** Jobs to one ack, of batched acks. */
export const BATCH = 50;
const FLUSH_MS = 10;
const MIN_PREFETCH = 100;

/** How it is consumed by hand. */
export interface BareConsumeOptions {
  readonly style: AckStyle;
  /** Of each queue. */
  readonly prefetch: number;
  readonly onJob: (payload: BenchPayload) => void;
}

/** amqplib knows no concurrency but prefetch; below this one the broker and not the client would be measured. */
export function bestPrefetch(concurrency: number): number {
  return Math.max(MIN_PREFETCH, concurrency);
}

/** Consumes from all of these queues on one channel, with an async handler. Returns how to end it with everything acknowledged. */
export async function bareConsume(
  connection: ChannelModel,
  queues: readonly string[],
  { style, prefetch, onJob }: BareConsumeOptions,
): Promise<() => Promise<void>> {
  const channel = await connection.createChannel();
  await channel.prefetch(prefetch);
  const acks = style === 'single acks' ? singleAcks(channel) : batchedAcks(channel);
  const handler = async (message: ConsumeMessage) => {
    onJob(JSON.parse(message.content.toString()) as BenchPayload);
  };
  const onMessage = (message: ConsumeMessage | null) => {
    if (message) void handler(message).then(() => acks.add(message));
  };
  await Promise.all(queues.map((queue) => channel.consume(queue, onMessage)));
  return async () => {
    acks.flush();
    await channel.close();
  };
}

interface Acks {
  add(message: ConsumeMessage): void;
  flush(): void;
}

function singleAcks(channel: Channel): Acks {
  return { add: (message) => channel.ack(message), flush: () => {} };
}

/** One multiple-ack per BATCH, or after FLUSH_MS: right only because these handlers end in order. */
function batchedAcks(channel: Channel): Acks {
  let pending = 0;
  let last: ConsumeMessage | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (last) channel.ack(last, true);
    last = undefined;
    pending = 0;
  };
  const add = (message: ConsumeMessage) => {
    last = message;
    pending += 1;
    if (pending >= BATCH) flush();
    else timer ??= setTimeout(flush, FLUSH_MS);
  };
  return { add, flush };
}
