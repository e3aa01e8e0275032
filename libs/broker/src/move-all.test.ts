import { HeaderInvalidError, MessagesLeftError, PayloadTooLargeError } from '@warren/contracts';
import { delivered } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Consumer, ConsumerOptions } from './consumer.ts';
import type { Delivery } from './delivery.ts';
import { type MovingSession, moveAll } from './move-all.ts';
import type { Publishable } from './outgoing-message.ts';

const MEBIBYTE = 1_024 * 1_024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Of the consumer that moves, unless a test says otherwise. */
const EMPTY = { ready: 0, consumers: 1 };

/** A session whose broker is played by the test: each publish waits for an answer. */
function world(figuresNow: () => typeof EMPTY | undefined = () => EMPTY) {
  const open: { readonly message: Publishable; answer(error?: Error): void }[] = [];
  let deliver: (delivery: Delivery) => void = () => {};
  const session: MovingSession = {
    lost: new AbortController().signal,
    publisher: {
      publish: (message) =>
        new Promise((resolve, reject) => {
          const answer = (error?: Error) => (error ? reject(error) : resolve({ id: '' }));
          open.push({ message, answer });
        }),
    },
    consume(options: ConsumerOptions) {
      deliver = options.onDelivery;
      return { start: () => {} } as Consumer;
    },
    giveBack: () => Promise.resolve(),
    figures: async (queues) => new Map(queues.map((queue) => [queue, figuresNow()])),
  };
  const start = (through: string | undefined) => {
    const lead = () => Promise.resolve();
    const result = moveAll(session, { from: 'old', to: 'new', through, lead });
    const ended: { now: unknown } = { now: 'waiting' };
    result.then(
      (count) => {
        ended.now = count;
      },
      (error: unknown) => {
        ended.now = error;
      },
    );
    return ended;
  };
  return { open, start, deliver: (delivery: Delivery) => deliver(delivery) };
}

function letter(messageId: string | undefined, bytes = 1): Delivery {
  const properties = messageId === undefined ? {} : { messageId };
  const one = delivered(properties, { body: Buffer.alloc(bytes) });
  return Object.assign(one, { ack: () => true, leave: () => {} });
}

describe('moving all of a queue', () => {
  it('makes exact copies through an exchange, and others straight to the queue', async () => {
    const { open, start, deliver } = world();
    start('fanout');
    deliver(letter(undefined));
    expect(open[0]?.message).toMatchObject({ exchange: 'fanout' });
    expect(open[0]?.message.properties.messageId).toBeUndefined();
    const other = world();
    other.start(undefined);
    other.deliver(letter(undefined));
    expect(other.open[0]?.message).toMatchObject({ exchange: '', routingKey: 'new' });
    expect(other.open[0]?.message.properties.messageId).toEqual(expect.any(String));
    for (const one of [...open, ...other.open]) one.answer();
    await vi.advanceTimersByTimeAsync(2_000);
  });

  it('has no more under way than the publisher has room for, but one that is larger', async () => {
    const { open, start, deliver } = world();
    const ended = start('fanout');
    for (const mebibytes of [20, 10, 20, 40]) deliver(letter('m', mebibytes * MEBIBYTE));
    expect(open).toHaveLength(2);
    open[0]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(open).toHaveLength(3);
    open[1]?.answer();
    await vi.advanceTimersByTimeAsync(0);
    expect(open).toHaveLength(3);
    open[2]?.answer();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(open).toHaveLength(4);
    expect(ended.now).toBe('waiting');
    open[3]?.answer();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ended.now).toBe(4);
  });

  it('moves the others where some cannot be copied, and names the first', async () => {
    const { open, start, deliver } = world();
    const ended = start('fanout');
    const all = ['a', 'b', 'c', 'd'].map((id) => letter(id));
    for (const one of all) deliver(one);
    open[0]?.answer(new HeaderInvalidError('headers', 'odd'));
    open[1]?.answer();
    open[2]?.answer(new PayloadTooLargeError('x', 2, 1));
    open[3]?.answer();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(ended.now).toBeInstanceOf(MessagesLeftError);
    expect((ended.now as Error).message).toBe(
      '2 messages of old cannot be copied and stay in it, such as a (header "headers": odd)',
    );
  });

  it('goes on until for a second nothing came back and nobody else was there', async () => {
    let figures = { ready: 0, consumers: 2 };
    const { open, start, deliver } = world(() => figures);
    const ended = start('fanout');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(ended.now).toBe('waiting');
    figures = EMPTY;
    await vi.advanceTimersByTimeAsync(800);
    deliver(letter('given back'));
    open[0]?.answer();
    await vi.advanceTimersByTimeAsync(800);
    expect(ended.now).toBe('waiting');
    await vi.advanceTimersByTimeAsync(600);
    expect(ended.now).toBe(1);
  });

  it('ends where somebody else goes on consuming, or the queue is gone', async () => {
    const shared = world(() => ({ ready: 0, consumers: 3 })).start('fanout');
    const gone = world(() => undefined).start('fanout');
    await vi.advanceTimersByTimeAsync(6_000);
    expect(shared.now).toMatchObject({ code: 'QUEUE_IN_USE' });
    expect((shared.now as Error).message).toContain('2 consumers');
    expect(gone.now).toMatchObject({ code: 'QUEUE_MISSING' });
  });

  it('ends when too many cannot be copied, since they leave no room for others', async () => {
    const { open, start, deliver } = world();
    const ended = start('fanout');
    for (let n = 0; n < 100; n += 1) deliver(letter(`n-${n}`));
    for (const one of open) one.answer(new HeaderInvalidError('headers', 'odd'));
    await vi.advanceTimersByTimeAsync(400);
    expect((ended.now as Error).message).toMatch(/^100 messages of old /);
  });

  it('ends at once with what says nothing of the message', async () => {
    const { open, start, deliver } = world();
    const ended = start('fanout');
    deliver(letter('a'));
    open[0]?.answer(new Error('blocked'));
    await vi.advanceTimersByTimeAsync(400);
    expect(ended.now).toMatchObject({ message: 'blocked' });
  });
});
