import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib';
import type { OutgoingMessage } from './outgoing-message.ts';
import { headerBytes } from './pending-publish.ts';
import { isChannelClosed, refuseOversizeHeaders, toHeaderError } from './publish-failure.ts';
import { quietChannel } from './quiet-channel.ts';

/** Says whether a message could be sent, without sending it. @throws HeaderInvalidError as a publisher does */
export type PublishCheck = (message: OutgoingMessage) => void;

/** What of amqplib's channel writes; its types do not know it. */
interface Writes {
  readonly ch: number;
  readonly connection: object;
}

/**
 * The client encodes all of a message before it writes, and refuses there what it cannot encode: this is a channel of it whose
 * writing goes nowhere. The body plays no part. The channel that it is made of stays open, since a closed one encodes nothing.
 */
export async function publishCheck(raw: ChannelModel): Promise<PublishCheck> {
  const channel = await quietChannel(raw);
  const { ch, connection } = channel as unknown as Writes;
  const nowhere = { buffer: { write: () => true } };
  const writable = true;
  const deaf = Object.create(connection, {
    channels: { value: { [ch]: nowhere } },
    sentSinceLastCheck: { value: false, writable },
  }) as object;
  const dry = Object.create(channel, { connection: { value: deaf } }) as Channel;
  return ({ exchange, routingKey, properties }) => {
    try {
      const { headers } = properties;
      if (headers) refuseOversizeHeaders(dry as ConfirmChannel, headerBytes(headers));
      dry.publish(exchange, routingKey, Buffer.alloc(0), properties);
    } catch (error) {
      // Nothing is said of the message.
      if (!isChannelClosed(error)) throw toHeaderError(error);
    }
  };
}
