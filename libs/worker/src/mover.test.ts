import {
  type Broker,
  type Delivery,
  type Move,
  type OutgoingMessage,
  readMessage,
} from '@warren/broker';
import {
  HeaderInvalidError,
  newJobId,
  PayloadTooLargeError,
  PublishRefusedError,
  PublishTimeoutError,
} from '@warren/contracts';
import { delivered } from '@warren/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Mover } from './mover.ts';

const move: Move = { exchange: 'jobs.due', routingKey: 'email.send', headers: {} };

/** A delivery that notes how it was settled, and that the test can lose. */
function heldDelivery(headers: Record<string, unknown> = {}) {
  const settled: string[] = [];
  let tellLost = () => {};
  const settle = (how: string) => () => {
    settled.push(how);
    return true;
  };
  const delivery = Object.assign(delivered({ messageId: newJobId(), headers }), {
    ack: settle('ack'),
    reject: settle('reject'),
    onLost(listener: () => void) {
      tellLost = listener;
      return () => {};
    },
  });
  const lose = () => {
    Object.assign(delivery, { isLost: true });
    tellLost();
  };
  return { delivery: delivery as unknown as Delivery, settled, lose };
}

/** A broker that answers publishes with these errors first, and takes them afterwards. */
function brokerWith(errors: readonly Error[], always?: Error) {
  const left = [...errors];
  const published: OutgoingMessage[] = [];
  const publish = async (message: OutgoingMessage) => {
    published.push(message);
    const error = left.shift() ?? always;
    if (error) throw error;
  };
  return { broker: { publisher: { publish } } as unknown as Broker, published };
}

function start(answers: ReturnType<typeof brokerWith>, held = heldDelivery()) {
  const events = { onFailing: vi.fn(), onRecovered: vi.fn() };
  const mover = new Mover(answers.broker, events);
  const message = readMessage(held.delivery);
  const seen: { settled?: boolean } = {};
  void mover.move(held.delivery, { ...message, id: message.id ?? '' }, move).then((settled) => {
    seen.settled = settled;
  });
  return { mover, events, seen, ...held, ...answers };
}

const refused = new PublishRefusedError('jobs.due', 'email.send');
const badHeader = new HeaderInvalidError('headers', 'cannot be encoded');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('Mover', () => {
  it('acks once the copy is confirmed', async () => {
    const { seen, settled, published, events } = start(brokerWith([]));
    expect(settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect([seen.settled, settled, published.length]).toEqual([true, ['ack'], 1]);
    expect(events.onFailing).not.toHaveBeenCalled();
    expect(events.onRecovered).not.toHaveBeenCalled();
  });

  it('repeats the same copy with growing pauses until it is confirmed', async () => {
    const failures = [refused, new PublishTimeoutError(10_000, 'x'), refused];
    const { settled, published, events } = start(brokerWith(failures));
    await vi.advanceTimersByTimeAsync(99);
    expect(published).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(published).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(published).toHaveLength(3);
    expect([settled, events.onRecovered.mock.calls.length]).toEqual([[], 0]);
    await vi.advanceTimersByTimeAsync(400);
    expect(settled).toEqual(['ack']);
    expect(new Set(published).size).toBe(1);
    expect(events.onFailing).toHaveBeenCalledTimes(3);
    expect(events.onRecovered).toHaveBeenCalledOnce();
  });

  it('never pauses for more than five seconds', async () => {
    const { published, mover } = start(brokerWith([], refused));
    await vi.advanceTimersByTimeAsync(60_000);
    const before = published.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(published.length).toBe(before + 1);
    mover.giveUp();
    await vi.advanceTimersByTimeAsync(0);
  });

  it('has recovered only when no move fails any more', async () => {
    const answers = brokerWith([refused, refused, refused]);
    const events = { onFailing: vi.fn(), onRecovered: vi.fn() };
    const mover = new Mover(answers.broker, events);
    for (const { delivery } of [heldDelivery(), heldDelivery()]) {
      void mover.move(delivery, { ...readMessage(delivery), id: newJobId() }, move);
    }
    await vi.advanceTimersByTimeAsync(150);
    expect(events.onRecovered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    expect(events.onRecovered).toHaveBeenCalledOnce();
  });

  it("leaves the publisher's headers out when they cannot be encoded", async () => {
    const held = heldDelivery({ tenant: 't' });
    const { settled, published } = start(brokerWith([badHeader]), held);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toEqual(['ack']);
    expect(published.map(({ properties }) => properties.headers)).toEqual([{ tenant: 't' }, {}]);
  });

  it('asks what to hold the ack for once the copy is confirmed, not for a lost delivery', async () => {
    const told = Promise.resolve();
    const tellEnd = vi.fn(() => told);
    const held = heldDelivery();
    const ack = vi.spyOn(held.delivery, 'ack');
    const mover = new Mover(brokerWith([refused]).broker, { onFailing() {}, onRecovered() {} });
    const message = { ...readMessage(held.delivery), id: newJobId() };
    const moving = mover.move(held.delivery, message, move, { tellEnd });
    await vi.advanceTimersByTimeAsync(99);
    expect(tellEnd).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(moving).resolves.toBe(true);
    expect(ack).toHaveBeenCalledExactlyOnceWith(told, undefined);
    held.lose();
    await mover.move(held.delivery, message, move, { tellEnd });
    expect(tellEnd).toHaveBeenCalledOnce();
    expect(ack).toHaveBeenLastCalledWith(undefined, undefined);
    await mover.move(held.delivery, message, move);
    expect(ack).toHaveBeenLastCalledWith(undefined, 'moved');
  });

  it('tells when the broker is to move the message', async () => {
    const onReject = vi.fn();
    const { delivery, settled } = heldDelivery();
    const { broker } = brokerWith([badHeader, badHeader]);
    const mover = new Mover(broker, { onFailing() {}, onRecovered() {} });
    await mover.move(delivery, { ...readMessage(delivery), id: newJobId() }, move, { onReject });
    expect([settled, onReject.mock.calls.length]).toEqual([['reject'], 1]);
  });

  it('lets the broker move what no client can encode', async () => {
    const { seen, settled, events } = start(brokerWith([badHeader, badHeader]));
    await vi.advanceTimersByTimeAsync(0);
    expect([seen.settled, settled]).toEqual([true, ['reject']]);
    expect(events.onFailing).not.toHaveBeenCalled();
  });

  it('lets the broker move what has become too large to be published, and holds up nothing', async () => {
    const { settled, published, events } = start(
      brokerWith([], new PayloadTooLargeError('email.send', 20, 10)),
    );
    await vi.advanceTimersByTimeAsync(0);
    expect([settled, published.length]).toEqual([['reject'], 1]);
    expect(events.onFailing).not.toHaveBeenCalled();
  });

  it('stops at once when the delivery is lost: the broker delivers it again', async () => {
    const { seen, settled, lose, published, events } = start(brokerWith([], refused));
    await vi.advanceTimersByTimeAsync(50);
    lose();
    await vi.advanceTimersByTimeAsync(0);
    expect([seen.settled, settled, published.length]).toEqual([false, [], 1]);
    expect(events.onRecovered).toHaveBeenCalledOnce();
  });

  it('tries once and no more after it was given up', async () => {
    const { mover, seen, settled } = start(brokerWith([], refused));
    await vi.advanceTimersByTimeAsync(50);
    mover.giveUp();
    await vi.advanceTimersByTimeAsync(0);
    expect([seen.settled, settled]).toEqual([false, []]);
    const { delivery } = heldDelivery();
    await expect(
      mover.move(delivery, { ...readMessage(delivery), id: newJobId() }, move),
    ).resolves.toBe(false);
  });

  it('may repeat as many moves at once as there are, without a warning', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { broker } = brokerWith([], refused);
    const mover = new Mover(broker, { onFailing: vi.fn(), onRecovered: vi.fn() });
    const moves = Array.from({ length: 20 }, () => {
      const { delivery } = heldDelivery();
      return mover.move(delivery, { ...readMessage(delivery), id: newJobId() }, move);
    });
    await vi.advanceTimersByTimeAsync(50);
    mover.giveUp();
    expect(await Promise.all(moves)).toEqual(Array(20).fill(false));
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });
});
