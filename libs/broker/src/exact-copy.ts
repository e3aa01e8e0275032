import type { ConsumeMessage, Options } from 'amqplib';
import { refuseUnfaithfulHeaders } from './faithful-headers.ts';

/** The same message once more, under its own routing key: what it is about, nobody asks. */
export interface ExactCopy {
  readonly exchange: string;
  readonly routingKey: string;
  readonly body: Buffer;
  readonly properties: ExactProperties;
}

/** An id is there only where the original has one. */
export type ExactProperties = Readonly<Pick<Options.Publish, (typeof KEPT)[number]>> & {
  readonly headers: Readonly<Record<string, unknown>> | undefined;
  readonly mandatory: true;
};

const KEPT = [
  'contentType',
  'contentEncoding',
  'deliveryMode',
  'priority',
  'correlationId',
  'replyTo',
  'expiration',
  'messageId',
  'timestamp',
  'type',
  'appId',
] as const;

/** The broker counts these anew for each queue, and writes them into what it delivers. */
const COUNTS = /^x-(?:delivery|acquired)-count$/;

/**
 * A copy of a message with all that it carries, `x-death` and other headers of the broker too: for queues in which messages
 * only lie, since in one that dead-letters a copied `x-death` can end them (measured on 3.10). Left out is `userId`, which the
 * broker takes from nobody but that user, as in every move, and how often the original was delivered.
 *
 * The exchange must be one that asks for no routing key, a fanout: by a header `CC` any other would send copies to more queues.
 * @throws HeaderInvalidError for headers that the client would write otherwise than it has read them
 */
export function exactCopy(
  { content, fields, properties }: ConsumeMessage,
  exchange: string,
): ExactCopy {
  const { headers } = properties;
  const kept = Object.fromEntries(KEPT.map((name) => [name, properties[name] as unknown]));
  return {
    exchange,
    routingKey: fields.routingKey,
    body: content,
    properties: { ...kept, headers: headers && headersOf(headers), mandatory: true },
  };
}

/** As entries: assigned, the name `__proto__` would be no header. */
function headersOf(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  refuseUnfaithfulHeaders(headers);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !COUNTS.test(name)));
}
