import type { OutgoingMessage, SafeProperties } from '@warren/broker';
import type { LeasedMessage } from './outbox-port.ts';
import type { Outlet } from './outlet.ts';

/**
 * One channel of a relay, with the messages of which it is not known whether they came in. They may be sent again once it is
 * closed: before that, a broker that is merely slow would get each of them over and over.
 */
export class RelayChannel {
  readonly #outlet: Outlet;
  readonly unknown: LeasedMessage[] = [];
  #ended: Promise<void> | undefined;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  /** Would a message be sent now? */
  get isOpen(): boolean {
    return this.#outlet.isOpen && this.#outlet.refusal() === undefined;
  }

  get isEnding(): boolean {
    return this.#ended !== undefined;
  }

  publish(row: LeasedMessage): Promise<unknown> {
    return this.#outlet.publish(toMessage(row));
  }

  /** Takes no more messages. Resolves when what is under way is answered and the channel is closed. */
  end(): Promise<void> {
    this.#ended ??= this.#outlet.end();
    return this.#ended;
  }
}

function toMessage({ id, exchange, routingKey, body, properties }: LeasedMessage): OutgoingMessage {
  if (isSafe(properties)) return { exchange, routingKey, body, properties };
  const messageId: unknown = properties['messageId'];
  return {
    exchange,
    routingKey,
    body,
    properties: {
      ...properties,
      messageId: typeof messageId === 'string' ? messageId : id,
      persistent: true,
      mandatory: true,
    },
  };
}

function isSafe(properties: LeasedMessage['properties']): properties is SafeProperties {
  const { messageId, persistent, mandatory } = properties;
  return typeof messageId === 'string' && persistent === true && mandatory === true;
}
