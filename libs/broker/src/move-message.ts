import { HEADERS, timeOfJobId } from '@warren/contracts';
import type { Delivery } from './delivery.ts';
import { refuseOwnPrototype, refuseUnfaithfulHeaders } from './faithful-headers.ts';
import { foreignHeaders, portableHeaders } from './foreign-headers.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { previousErrorOf, type ReceivedMessage } from './received-message.ts';

/** Where a copy goes, and what is new about it. */
export interface Move {
  readonly exchange: string;
  readonly routingKey: string;
  /** Values of the kit's own headers that change; the others are carried over. */
  readonly headers: Partial<Record<keyof typeof HEADERS, string | number | undefined>>;
  /** Only for retry tiers: the tier's delay. */
  readonly expirationMs?: number;
  /**
   * Of the publisher's headers: `all`, where losing one would be worse than a copy that cannot be published; `none`, when they
   * turned out not to be encodable. Default: those that fit a bound.
   */
  readonly foreignHeaders?: 'all' | 'none';
}

/** What of a delivery a copy is made of. */
export type Original = Pick<Delivery, 'message' | 'body' | 'receivedAtMs'>;

/** AMQP short strings end here. */
const MAX_SHORT_STRING_BYTES = 255;

/**
 * The copy of a delivered message that a move publishes: body byte for byte, properties by an allow-list. Never copied:
 * `expiration` (would delete it elsewhere), `priority` (disorders a tier on RabbitMQ 4.0), `userId` (refused under another
 * login), CC and BCC (extra copies), what the broker counts.
 * @throws HeaderInvalidError where all of the publisher's headers are wanted, and the client would write them otherwise
 */
export function copyMessage(
  delivery: Original,
  received: ReceivedMessage & { readonly id: string },
  move: Move,
): OutgoingMessage {
  const { properties } = delivery.message;
  return {
    exchange: move.exchange,
    routingKey: move.routingKey,
    body: delivery.body,
    properties: {
      messageId: received.id,
      persistent: true,
      mandatory: true,
      ...kept('type', received.type),
      ...kept('contentType', properties.contentType),
      ...kept('contentEncoding', properties.contentEncoding),
      ...kept('appId', properties.appId),
      ...kept('correlationId', properties.correlationId),
      ...(Number.isSafeInteger(properties.timestamp) && { timestamp: properties.timestamp }),
      ...(move.expirationMs !== undefined && { expiration: String(move.expirationMs) }),
      headers: headersOf(delivery, received, move),
    },
  };
}

function kept(name: string, value: unknown): Record<string, string> {
  const fits = typeof value === 'string' && Buffer.byteLength(value) <= MAX_SHORT_STRING_BYTES;
  return fits ? { [name]: value } : {};
}

function headersOf(
  delivery: Original,
  received: ReceivedMessage & { readonly id: string },
  move: Move,
): Record<string, unknown> {
  const carried: Move['headers'] = {
    attempt: received.attempt > 1 ? received.attempt : undefined,
    generation: received.generation > 0 ? received.generation : undefined,
    snoozes: received.snoozes > 0 ? received.snoozes : undefined,
    payloadVersion: received.payloadVersion > 1 ? received.payloadVersion : undefined,
    publishedAt: publishedAtHeader(received),
    notBefore: received.notBeforeMs,
    expiresAt: expiresAt(delivery, received),
    error: previousErrorOf(delivery),
    replayOf: received.replayOf,
    traceparent: received.traceparent,
    previousSpan: received.previousSpan,
    ...move.headers,
  };
  const own = Object.entries(carried).flatMap(([name, value]) =>
    value === undefined ? [] : [[HEADERS[name as keyof typeof HEADERS], value]],
  );
  return { ...foreignOf(delivery, move), ...Object.fromEntries(own) };
}

function foreignOf({ message }: Original, { foreignHeaders: which }: Move) {
  const { headers } = message.properties;
  if (which === 'none') return {};
  if (which !== 'all') return portableHeaders(headers);
  const kept = foreignHeaders(headers);
  if (headers) refuseOwnPrototype(headers);
  refuseUnfaithfulHeaders(kept);
  return kept;
}

/** A UUIDv7 tells the time by itself. A job that nobody dated begins to age at its first move. */
function publishedAtHeader(
  received: ReceivedMessage & { readonly id: string },
): number | undefined {
  const told = timeOfJobId(received.id);
  const publishedAtMs = received.publishedAtMs ?? Date.now();
  return told === publishedAtMs ? undefined : publishedAtMs;
}

/** A publisher's own `expiration` goes on as a time, since as a TTL it would act in every queue on the way. */
function expiresAt(delivery: Original, received: ReceivedMessage): number | undefined {
  if (received.expiresAtMs !== undefined) return received.expiresAtMs;
  const { expiration } = delivery.message.properties;
  if (typeof expiration !== 'string' || !/^\d{1,15}$/.test(expiration)) return undefined;
  return (received.publishedAtMs ?? delivery.receivedAtMs) + Number(expiration);
}
