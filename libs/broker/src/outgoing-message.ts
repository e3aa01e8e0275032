import type { Options } from 'amqplib';
import type { ExactCopy } from './exact-copy.ts';

/** A message on its way to the broker: an address, bytes, and properties that are ready to be encoded. */
export interface OutgoingMessage {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: SafeProperties;
}

/** What a publisher takes. */
export type Publishable = OutgoingMessage | ExactCopy;

/**
 * Nothing but an exact copy is published any other way: kept on disk, tied to its return by its id, and `mandatory`, so refused when no
 * queue takes it, unless that is right for it: a fact may have no reader.
 */
export type SafeProperties = MessageProperties & {
  readonly messageId: string;
  readonly persistent: true;
  readonly mandatory: boolean;
};

/** The AMQP properties that Warren writes. Others are never copied from one message to the next. */
export type MessageProperties = Pick<
  Options.Publish,
  | 'messageId'
  | 'type'
  | 'contentType'
  | 'contentEncoding'
  | 'timestamp'
  | 'appId'
  | 'correlationId'
  | 'headers'
  | 'expiration'
>;
