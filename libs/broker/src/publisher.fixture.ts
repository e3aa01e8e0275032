import { vi } from 'vitest';
import { FakeConnection } from './fake-channel.fixture.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { Publisher } from './publisher.ts';
import type { PublisherEvents, PublisherOptions } from './publisher-options.ts';

/** A job on its way to `email.send`. */
export function message(
  messageId: string,
  changes: Partial<OutgoingMessage> = {},
): OutgoingMessage {
  return {
    exchange: 'jobs',
    routingKey: 'email.send',
    body: Buffer.from('{}'),
    properties: { messageId, persistent: true, mandatory: true },
    ...changes,
  };
}

/** How a publish ended so far: `waiting`, `confirmed` or the error's code. */
export function watch(publish: Promise<unknown>): { now: string } {
  const state = { now: 'waiting' };
  publish.then(
    () => {
      state.now = 'confirmed';
    },
    (error: { code: string }) => {
      state.now = error.code;
    },
  );
  return state;
}

/** A publisher on a fake connection that is up, with ways to play its caller and its broker. */
export async function started(options: PublisherOptions = {}, events: PublisherEvents = {}) {
  const broker = new FakeConnection();
  const publisher = new Publisher(broker.asConnection, options, events);
  broker.comesUp();
  publisher.start();
  await vi.advanceTimersByTimeAsync(0);
  const publish = (id: string, changes?: Partial<OutgoingMessage>, timeoutMs?: number) =>
    watch(publisher.publish(message(id, changes), timeoutMs));
  const sentIds = () => broker.channel.sent.map(({ messageId }) => messageId);
  const answer = async (id: string, error: Error | null = null) => {
    broker.channel.sent.find(({ messageId }) => messageId === id)?.answer(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { broker, publisher, publish, sentIds, answer };
}
