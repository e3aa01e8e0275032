import type { ConsumeMessage } from 'amqplib';
import { describe, expect, it, vi } from 'vitest';
import { Delivery } from './delivery.ts';

function delivered() {
  const channel = {
    queue: 'email.send',
    ack: vi.fn(() => true),
    nack: vi.fn(() => true),
    leave: vi.fn(() => {}),
  };
  const message = {
    content: Buffer.from('{}'),
    fields: { deliveryTag: 7 },
    properties: {},
  } as unknown as ConsumeMessage;
  return { channel, delivery: new Delivery(message, channel, 1_000) };
}

const WAYS = ['ack', 'requeue', 'reject'] as const;

describe('Delivery', () => {
  it('tells what it holds', () => {
    const { delivery } = delivered();
    expect(delivery).toMatchObject({ queue: 'email.send', tag: 7, receivedAtMs: 1_000 });
    expect(delivery.body.toString()).toBe('{}');
    expect([delivery.isSettled, delivery.isLost]).toEqual([false, false]);
  });

  it('can be left to its channel, and is then not settled here any more', () => {
    const { channel, delivery } = delivered();
    delivery.leave();
    delivery.leave();
    expect(channel.leave).toHaveBeenCalledExactlyOnceWith(delivery);
    expect([delivery.ack(), delivery.requeue()]).toEqual([false, false]);
  });

  it('is settled on its own channel', () => {
    const acked = delivered();
    expect(acked.delivery.ack()).toBe(true);
    expect(acked.channel.ack).toHaveBeenCalledExactlyOnceWith(acked.delivery, undefined);
    const held = delivered();
    const beforeAck = Promise.resolve();
    expect(held.delivery.ack(beforeAck)).toBe(true);
    expect(held.channel.ack).toHaveBeenCalledExactlyOnceWith(held.delivery, beforeAck);
    const requeued = delivered();
    expect(requeued.delivery.requeue()).toBe(true);
    expect(requeued.channel.nack).toHaveBeenCalledExactlyOnceWith(requeued.delivery, true);
    const rejected = delivered();
    expect(rejected.delivery.reject()).toBe(true);
    expect(rejected.channel.nack).toHaveBeenCalledExactlyOnceWith(rejected.delivery, false);
  });

  it.each(WAYS.flatMap((first) => WAYS.map((second) => [first, second] as const)))(
    'is settled once: %s, then %s',
    (first, second) => {
      const { channel, delivery } = delivered();
      delivery[first]();
      expect(delivery.isSettled).toBe(true);
      expect(delivery[second]()).toBe(false);
      expect(channel.ack.mock.calls.length + channel.nack.mock.calls.length).toBe(1);
    },
  );

  it('passes on that its channel was lost', () => {
    const { channel, delivery } = delivered();
    channel.ack.mockReturnValue(false);
    delivery.lose('gone');
    expect(delivery.ack()).toBe(false);
  });

  it('tells every listener once that it was lost, and why', () => {
    const { delivery } = delivered();
    const [one, other] = [vi.fn(), vi.fn()];
    delivery.onLost(one);
    delivery.onLost(other);
    delivery.lose('the connection was lost');
    delivery.lose('again');
    expect(delivery.isLost).toBe(true);
    expect(one).toHaveBeenCalledExactlyOnceWith('the connection was lost');
    expect(other).toHaveBeenCalledExactlyOnceWith('the connection was lost');
  });

  it('does not tell a listener that was stopped, also by another one', () => {
    const { delivery } = delivered();
    const [before, meanwhile, last] = [vi.fn(), vi.fn(), vi.fn()];
    const stops: (() => void)[] = [];
    delivery.onLost(before)();
    delivery.onLost(() => stops.forEach((stop) => void stop()));
    stops.push(delivery.onLost(meanwhile));
    delivery.onLost(last);
    delivery.lose('gone');
    expect([before, meanwhile, last].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
  });

  it('tells a late listener at once', () => {
    const { delivery } = delivered();
    delivery.lose('gone');
    const late = vi.fn();
    delivery.onLost(late);
    expect(late).toHaveBeenCalledExactlyOnceWith('gone');
  });

  it('tells nothing to a listener that was taken back', () => {
    const { delivery } = delivered();
    const [kept, takenBack] = [vi.fn(), vi.fn()];
    delivery.onLost(kept);
    delivery.onLost(takenBack)();
    delivery.lose('gone');
    expect(kept).toHaveBeenCalledOnce();
    expect(takenBack).not.toHaveBeenCalled();
  });

  it.each(WAYS)('is not lost any more after %s', (way) => {
    const { delivery } = delivered();
    const listener = vi.fn();
    delivery.onLost(listener);
    delivery[way]();
    delivery.lose('gone');
    expect(delivery.isLost).toBe(false);
    expect(listener).not.toHaveBeenCalled();
  });
});
