import { HEADERS, isTraceparent, timeOfJobId } from '@warren/contracts';
import type { Delivery } from './delivery.ts';

/** What a message says about its job. Nothing of it is trusted further than its kind: anybody may publish. */
export interface ReceivedMessage {
  /** Undefined when the publisher gave none. */
  readonly id: string | undefined;
  /** Name of the job type or event, as the publisher says. */
  readonly type: string | undefined;
  readonly attempt: number;
  readonly generation: number;
  readonly snoozes: number;
  /** Version of the payload's shape. */
  readonly payloadVersion: number;
  /** ms since 1970; undefined when nobody said so. */
  readonly publishedAtMs: number | undefined;
  readonly notBeforeMs: number | undefined;
  readonly expiresAtMs: number | undefined;
  readonly correlationId: string | undefined;
  /** The id of the dead letter that this one was replayed from. */
  readonly replayOf: string | undefined;
  /** The span in which the job was made. */
  readonly traceparent: string | undefined;
  /** The span of what happened to it last. */
  readonly previousSpan: string | undefined;
  /** How often the broker took the message back before; 0 on a first delivery, whatever a header says. */
  readonly returns: number;
}

const NO_HEADERS: Readonly<Record<string, unknown>> = Object.freeze({});
const MAX_COUNT = 1_000_000;
/** AMQP short strings end here. */
const MAX_ID_BYTES = 255;
/** Some publishers write milliseconds where AMQP means seconds; no date in seconds is this large. */
const SECONDS_LIMIT = 100_000_000_000;

/** Reads a message's properties and headers. Own properties only: a header table named `__proto__` becomes a prototype. */
export function readMessage(
  { message }: Pick<Delivery, 'message'>,
  eventsExchange?: string,
): ReceivedMessage {
  const { properties, fields } = message;
  const headers = (properties.headers ?? NO_HEADERS) as Readonly<Record<string, unknown>>;
  const id = text(properties.messageId);
  return {
    id,
    // What came straight from there is named by the key that it was bound by.
    type: isStraightFrom(eventsExchange, fields) ? fields.routingKey : text(properties.type),
    attempt: count(own(headers, HEADERS.attempt), 1) ?? 1,
    generation: count(own(headers, HEADERS.generation), 0) ?? 0,
    snoozes: count(own(headers, HEADERS.snoozes), 0) ?? 0,
    payloadVersion: count(own(headers, HEADERS.payloadVersion), 1) ?? 1,
    publishedAtMs:
      time(own(headers, HEADERS.publishedAt)) ??
      (id === undefined ? undefined : timeOfJobId(id)) ??
      fromTimestamp(properties.timestamp),
    notBeforeMs: time(own(headers, HEADERS.notBefore)),
    expiresAtMs: time(own(headers, HEADERS.expiresAt)),
    correlationId: text(properties.correlationId),
    replayOf: shortText(own(headers, HEADERS.replayOf)),
    traceparent: span(own(headers, HEADERS.traceparent)),
    previousSpan: span(own(headers, HEADERS.previousSpan)),
    returns: fields.redelivered ? (count(own(headers, 'x-delivery-count'), 0) ?? 0) : 0,
  };
}

function isStraightFrom(
  exchange: string | undefined,
  fields: Delivery['message']['fields'],
): boolean {
  return exchange !== undefined && fields.exchange === exchange;
}

/** The previous failures that a message carries, if any. */
export function previousErrorOf(delivery: Pick<Delivery, 'message'>): string | undefined {
  const headers = (delivery.message.properties.headers ?? NO_HEADERS) as Record<string, unknown>;
  return text(own(headers, HEADERS.error));
}

function own(headers: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.length > 0 ? value : undefined;
}

/** As long as an id can be: it is carried along at every move. */
function shortText(value: unknown): string | undefined {
  const given = text(value);
  return given === undefined || Buffer.byteLength(given) > MAX_ID_BYTES ? undefined : given;
}

function span(value: unknown): string | undefined {
  return isTraceparent(value) ? value : undefined;
}

function count(value: unknown, min: number): number | undefined {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= MAX_COUNT
    ? (value as number)
    : undefined;
}

function time(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined;
}

function fromTimestamp(timestamp: unknown): number | undefined {
  const value = time(timestamp);
  if (value === undefined) return undefined;
  return value < SECONDS_LIMIT ? value * 1_000 : value;
}
