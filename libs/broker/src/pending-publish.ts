import type { Linked } from '@warren/contracts';
import type { Message } from 'amqplib';
import type { Publishable } from './outgoing-message.ts';

/** The broker has stored the message, in a queue if it is mandatory. */
export interface PublishedMessage {
  /** Empty for an exact copy of a message without one. */
  readonly id: string;
}

/** One publish between the call and its answer. */
export class PendingPublish implements Linked<PendingPublish> {
  readonly message: Publishable;
  readonly timeoutMs: number;
  readonly startedAtMs: number;
  readonly deadlineMs: number;
  /** Was it ever written to a channel? Then a missing answer means "unknown", not "no". */
  sent = false;
  /** The broker's reason, once it returned the message; the confirm follows. */
  returned: string | undefined;
  /** Channel errors that this publish was in flight for. */
  strikes = 0;
  /** Was the topology declared again for its sake? Once is enough. */
  repaired = false;
  /** Was it refused once, and is sent again on a new channel? Once is enough. */
  refused = false;
  /** Its place among what is in flight. */
  before: PendingPublish | undefined = undefined;
  after: PendingPublish | undefined = undefined;
  #headerBytes: number | undefined;
  readonly #resolve: (published: PublishedMessage) => void;
  readonly #reject: (error: Error) => void;

  constructor(
    message: Publishable,
    timeoutMs: number,
    nowMs: number,
    resolve: (published: PublishedMessage) => void,
    reject: (error: Error) => void,
  ) {
    this.message = message;
    this.timeoutMs = timeoutMs;
    this.startedAtMs = nowMs;
    this.deadlineMs = nowMs + timeoutMs;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** About what it holds in memory: the body, and the headers, which may be larger. */
  get bytes(): number {
    return this.message.body.length + this.headerBytes;
  }

  /** About what the headers take when they are encoded. */
  get headerBytes(): number {
    this.#headerBytes ??= headerBytes(this.message.properties.headers);
    return this.#headerBytes;
  }

  /** Is this the message that the broker gave back? A return carries no number: id and address tell. */
  isCopiedIn({ fields, properties }: Message): boolean {
    const { message } = this;
    return (
      message.properties.messageId === properties.messageId &&
      message.exchange === fields.exchange &&
      message.routingKey === fields.routingKey
    );
  }

  confirm(): void {
    this.#resolve({ id: this.message.properties.messageId ?? '' });
  }

  fail(error: Error): void {
    this.#reject(error);
  }
}

/** Two lengths and a type; a value that is a number has about as much again. */
const FIELD_BYTES = 6;
const NUMBER_BYTES = 8;

/** About what headers take when they are encoded. */
export function headerBytes(headers: Readonly<Record<string, unknown>> | undefined): number {
  let bytes = 0;
  for (const name in headers) {
    const value = headers[name];
    bytes += FIELD_BYTES + Buffer.byteLength(name) + valueBytes(value);
  }
  return bytes;
}

/** Foreign headers may be tables and lists: JSON takes about as much. What it cannot write, cannot be encoded either. */
function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return NUMBER_BYTES;
  if (Buffer.isBuffer(value)) return value.length;
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return NUMBER_BYTES;
  }
}
