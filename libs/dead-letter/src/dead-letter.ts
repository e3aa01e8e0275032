import { type Delivery, foreignHeaders, previousErrorOf, readMessage } from '@warren/broker';
import { HEADERS } from '@warren/contracts';

type Message = Delivery['message'];

/** A dead letter as an operator sees it. Nothing of it is trusted further than its kind: anybody may publish. */
export interface DeadLetter {
  /** Place in the queue, from 1, the oldest. */
  readonly position: number;
  readonly id: string | undefined;
  /** Name of the job type or event, as the publisher says. */
  readonly type: string | undefined;
  /** Why it was given up; for one that the broker moved, its own word, such as `delivery_limit`. */
  readonly reason: string | undefined;
  /** The last failure with its stack, and earlier ones a line each. */
  readonly error: string | undefined;
  /** The queue that it failed in. */
  readonly origin: string | undefined;
  /** The queue that it was meant for, or failed in: what its last exchange routed it by. */
  readonly routingKey: string;
  readonly attempt: number;
  readonly generation: number;
  readonly payloadVersion: number;
  /** ms since 1970. */
  readonly publishedAtMs: number | undefined;
  /** When it was given up, ms since 1970; where nobody wrote that down, when it was published. */
  readonly deadAtMs: number | undefined;
  readonly correlationId: string | undefined;
  readonly replayOf: string | undefined;
  readonly contentEncoding: unknown;
  /** The publisher's own, those that are text, numbers or truth values. They may hold personal data. */
  readonly headers: Readonly<Record<string, string | number | boolean>>;
  readonly body: Buffer;
}

/** Reads a message of a dead-letter queue. Never throws. */
export function readDeadLetter(message: Message, position: number): DeadLetter {
  const received = readMessage({ message });
  return {
    position,
    id: received.id,
    type: received.type,
    reason: ownText(message, HEADERS.deadReason) ?? brokerReason(message),
    error: previousErrorOf({ message }),
    origin: originOf(message),
    routingKey: message.fields.routingKey,
    attempt: received.attempt,
    generation: received.generation,
    payloadVersion: received.payloadVersion,
    publishedAtMs: received.publishedAtMs,
    deadAtMs: deadAt(message) ?? received.publishedAtMs,
    correlationId: received.correlationId,
    replayOf: received.replayOf,
    contentEncoding: message.properties.contentEncoding,
    headers: ownHeaders(message),
    body: message.content,
  };
}

/** As entries: `__proto__` is a name like others. */
function ownHeaders({ properties }: Message): DeadLetter['headers'] {
  return Object.fromEntries(Object.entries(foreignHeaders(properties.headers)).filter(isScalar));
}

function isScalar(entry: [string, unknown]): entry is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof entry[1]);
}

/** The queue that a dead letter failed in, as its header says. */
export function originOf(message: Message): string | undefined {
  return ownText(message, HEADERS.origin);
}

/** What the broker dead-lettered by itself has no header of the kit's; `rejected` is what the kit has it do. */
function brokerReason(message: Message): string | undefined {
  const reason = ofNewestDeath(message, 'reason');
  if (typeof reason !== 'string') return undefined;
  return reason === 'rejected' ? 'unencodable' : reason;
}

function deadAt(message: Message): number | undefined {
  const own = ownValue(message, HEADERS.deadAt);
  if (isTime(own)) return own;
  // The client reads AMQP's time as whole seconds.
  const time = ofNewestDeath(message, 'time');
  const seconds = typeof time === 'object' && time !== null ? Reflect.get(time, 'value') : time;
  return isTime(seconds) ? seconds * 1_000 : undefined;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function ofNewestDeath(message: Message, name: string): unknown {
  const deaths = ownValue(message, 'x-death');
  const newest: unknown = Array.isArray(deaths) ? deaths[0] : undefined;
  const has = typeof newest === 'object' && newest !== null && Object.hasOwn(newest, name);
  return has ? Reflect.get(newest, name) : undefined;
}

function ownText(message: Message, name: string): string | undefined {
  const value = ownValue(message, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Own properties only: a header table named `__proto__` becomes a prototype. */
function ownValue({ properties }: Message, name: string): unknown {
  const headers = (properties.headers ?? {}) as Record<string, unknown>;
  return Object.hasOwn(headers, name) ? headers[name] : undefined;
}
