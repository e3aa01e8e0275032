import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';

/** How a hand-written consumer acknowledges. */
export type AckStyle = 'single acks' | 'batched acks';

const PREFETCH = 100;
const BATCH = 50;
const FLUSH_MS = 10;

/** Consumes with an empty async handler. Returns how to end it with everything acknowledged. */
export async function bareConsume(
  connection: ChannelModel,
  queue: string,
  style: AckStyle,
  onJob: (payload: unknown) => void,
): Promise<() => Promise<void>> {
  const channel = await connection.createChannel();
  await channel.prefetch(PREFETCH);
  const acks = style === 'single acks' ? singleAcks(channel) : batchedAcks(channel);
  const handler = async (message: ConsumeMessage) => {
    onJob(JSON.parse(message.content.toString()));
  };
  await channel.consume(queue, (message) => {
    if (message) void handler(message).then(() => acks.add(message));
  });
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
