import type { Channel } from 'amqplib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConsumeChannel, type ConsumeChannelOwner } from './consume-channel.ts';
import type { Delivery } from './delivery.ts';
import { FakeChannel } from './fake-channel.fixture.ts';

const GAP_MS = 50;
const HOLD_MS = 1_000;

async function consuming(owner: Partial<ConsumeChannelOwner> = {}, prefetch = 100) {
  const raw = new FakeChannel();
  const deliveries: Delivery[] = [];
  const told = { onCancelled: vi.fn(), onLateSettle: vi.fn(), onCame: vi.fn() };
  const channel = new ConsumeChannel(raw as unknown as Channel, 'email.send', {
    onDelivery: (delivery) => void deliveries.push(delivery),
    ...told,
    ...owner,
  });
  await channel.consume(prefetch);
  const [receive] = raw.consumers.values();
  const deliver = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const deliveryTag = deliveries.length + 1;
      receive?.({ content: Buffer.from('{}'), fields: { deliveryTag }, properties: {} });
    }
    return deliveries;
  };
  return { raw, channel, deliver, receive, ...told };
}

/** Lets the event loop turn once: acks are sent then. */
const turn = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('acks', () => {
  it('are sent together for deliveries that end in the same turn', async () => {
    const { raw, channel, deliver } = await consuming();
    const all = deliver(4);
    for (const delivery of [all[2], all[0], all[1]]) expect(delivery?.ack()).toBe(true);
    expect(raw.settled).toEqual([]);
    expect(channel.outstanding).toBe(1);
    await turn();
    expect(raw.settled).toEqual(['ack 3 multiple']);
  });

  it('wait behind a delivery that takes longer, but no longer than 50 ms', async () => {
    const { raw, deliver } = await consuming();
    const [, second, third] = deliver(3);
    second?.ack();
    third?.ack();
    await vi.advanceTimersByTimeAsync(GAP_MS - 1);
    expect(raw.settled).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(raw.settled).toEqual(['ack 2', 'ack 3']);
  });

  it('wait no longer when the clock is set back meanwhile', async () => {
    const { raw, deliver } = await consuming();
    const [, second] = deliver(2);
    second?.ack();
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(2 * GAP_MS);
    expect(raw.settled).toEqual(['ack 2']);
  });

  it('do not wait where the broker has little left to send', async () => {
    const { raw, deliver } = await consuming({}, 4);
    const [, second] = deliver(3);
    second?.ack();
    await turn();
    expect(raw.settled).toEqual(['ack 2']);
  });

  it('never cover a delivery that was given back or rejected', async () => {
    const { raw, deliver } = await consuming();
    const [first, second, third] = deliver(3);
    first?.ack();
    expect(second?.requeue()).toBe(true);
    expect(third?.reject()).toBe(true);
    await turn();
    expect(raw.settled).toEqual(['nack 2 requeue', 'nack 3', 'ack 1']);
  });

  it('are sent at once on demand', async () => {
    const { raw, channel, deliver } = await consuming();
    const [, second] = deliver(2);
    second?.ack();
    channel.flush();
    expect(raw.settled).toEqual(['ack 2']);
  });
});

describe('beforeAck', () => {
  it('holds an ack until it resolves', async () => {
    let resolve = () => {};
    const hold = new Promise<void>((done) => {
      resolve = done;
    });
    const { raw, deliver } = await consuming();
    const [first] = deliver(1);
    expect(first?.ack(hold)).toBe(true);
    await vi.advanceTimersByTimeAsync(500);
    expect(raw.settled).toEqual([]);
    resolve();
    await vi.advanceTimersByTimeAsync(1);
    expect(raw.settled).toEqual(['ack 1']);
  });

  it.each([
    ['never resolves', () => new Promise<void>(() => {})],
    ['rejects', () => Promise.reject(new Error('no history'))],
  ])('cannot keep an ack for longer than a second when it %s', async (_, beforeAck) => {
    const { raw, deliver } = await consuming();
    const [first] = deliver(1);
    first?.ack(beforeAck());
    await vi.advanceTimersByTimeAsync(HOLD_MS + 1);
    expect(raw.settled).toEqual(['ack 1']);
  });

  it('does not ack on a channel that was lost meanwhile', async () => {
    const { raw, channel, deliver, onLateSettle } = await consuming();
    const [first] = deliver(1);
    first?.ack(new Promise<void>(() => {}));
    channel.lose('gone');
    await vi.advanceTimersByTimeAsync(HOLD_MS + 1);
    expect(raw.settled).toEqual([]);
    expect(onLateSettle).toHaveBeenCalledExactlyOnceWith(first);
  });
});

describe('a lost channel', () => {
  it('by the consumer timeout, blames what was out for longest, and none that came later', async () => {
    const { channel, deliver } = await consuming();
    const [done] = deliver(1);
    vi.advanceTimersByTime(5_000);
    deliver(2);
    vi.advanceTimersByTime(5_000);
    const all = deliver(1);
    done?.ack();
    channel.lose('delivery acknowledgement on channel 1 timed out', true);
    expect(all.map(({ isOverdue }) => isOverdue)).toEqual([false, true, true, false]);
  });

  it('loses what is out, and nothing that was settled', async () => {
    const { channel, deliver } = await consuming();
    const [first, second, third] = deliver(3);
    first?.ack();
    second?.requeue();
    channel.lose('the connection was lost');
    expect([first, second, third].map((one) => one?.isLost)).toEqual([false, false, true]);
  });

  it('sends nothing more: neither acks that were due nor late settles, which are told', async () => {
    const { raw, channel, deliver, onLateSettle } = await consuming();
    const [first, second, third, fourth] = deliver(4);
    first?.ack();
    third?.ack();
    channel.lose('gone');
    raw.closes();
    expect([second?.ack(), fourth?.requeue()]).toEqual([false, false]);
    channel.flush();
    await vi.advanceTimersByTimeAsync(GAP_MS * 2);
    expect(raw.settled).toEqual([]);
    expect(onLateSettle.mock.calls).toEqual([[second], [fourth]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes no deliveries that still come in', async () => {
    const { channel, deliver } = await consuming();
    channel.lose('gone');
    expect(deliver(1)).toEqual([]);
    expect([channel.prefetch, channel.delivered]).toEqual([0, 0]);
  });
});

it('tells that the broker ended the consumer', async () => {
  const { receive, onCancelled } = await consuming();
  receive?.(null);
  expect(onCancelled).toHaveBeenCalledOnce();
});

it('consumes under a fresh tag each time, and leaves deliveries out when it is cancelled', async () => {
  const { raw, channel, deliver } = await consuming({}, 10);
  const [first] = deliver(1);
  const [tag] = raw.consumers.keys();
  await channel.cancel();
  expect([raw.consumers.size, channel.prefetch, channel.outstanding]).toEqual([0, 0, 1]);
  await channel.consume(20);
  expect([...raw.consumers.keys()]).not.toContain(tag);
  expect([raw.prefetches, channel.prefetch]).toEqual([[10, 20], 20]);
  expect(first?.ack()).toBe(true);
  await turn();
  expect(raw.settled).toEqual(['ack 1']);
});

it('does not begin a consumer that was cancelled while its prefetch was being set', async () => {
  const { raw, channel } = await consuming();
  await channel.cancel();
  const begun = channel.consume(10);
  const cancelled = channel.cancel();
  await Promise.all([begun, cancelled]);
  expect([raw.consumers.size, channel.prefetch]).toEqual([0, 0]);
});

it('acks what is due when it is closed', async () => {
  const { raw, channel, deliver } = await consuming();
  const [first, second, third] = deliver(3);
  first?.ack();
  third?.ack();
  await channel.close();
  expect(raw.settled).toEqual(['ack 1', 'ack 3']);
  expect([first, second, third].map((one) => one?.isLost)).toEqual([false, true, false]);
});

describe('what was settled', () => {
  /** Past the queue's log, and past it once more. */
  const LOG = ['prefetch 1', 'consume', 'prefetch 1', 'cancel'];
  const asked = (raw: FakeChannel) => raw.steps.splice(0);

  it('is applied before the channel is closed', async () => {
    const { raw, channel, deliver } = await consuming();
    const [first, second, third] = deliver(3);
    first?.ack();
    third?.requeue();
    asked(raw);
    await channel.close();
    expect(second?.isLost).toBe(true);
    expect(asked(raw)).toEqual(['ack 1', ...LOG, 'close']);
  });

  it('is applied before the rest is given back, and that is not asked twice', async () => {
    const { raw, channel, deliver } = await consuming();
    deliver(2)[1]?.ack();
    asked(raw);
    await channel.giveBack(true);
    expect(asked(raw)).toEqual(['ack 2', ...LOG, 'cancel', 'nack all requeue']);
    await channel.close();
    expect(asked(raw)).toEqual(['close']);
  });

  it('counts where it was given back by a nack, too', async () => {
    const { raw, channel, deliver } = await consuming();
    deliver(1)[0]?.requeue();
    asked(raw);
    await channel.close();
    expect(asked(raw)).toEqual([...LOG, 'close']);
  });

  it('is not asked for where there is nothing', async () => {
    const { raw, channel, deliver } = await consuming();
    deliver(2);
    asked(raw);
    await channel.giveBack(false);
    await channel.close();
    expect(asked(raw)).toEqual(['close']);
  });

  it('gives back what comes by asking: at once where the channel is closed, else with the others', async () => {
    for (const isGivenBack of [false, true]) {
      const { raw, channel, deliver } = await consuming();
      deliver(2)[0]?.ack();
      await turn();
      asked(raw);
      const { prefetch } = raw;
      raw.prefetch = async (count) => {
        const newest = [...raw.consumers.values()].at(-1);
        if (raw.consumers.size > 1) newest?.({ fields: { deliveryTag: 3 } });
        await prefetch.call(raw, count);
      };
      if (isGivenBack) await channel.giveBack(false);
      await channel.close();
      const stray = isGivenBack ? [] : ['nack 3 requeue'];
      expect(asked(raw)).toEqual([...LOG, ...stray, 'close']);
    }
  });
});

describe('deliveries', () => {
  it('are told once when so many have come', async () => {
    const { channel, deliver, onCame } = await consuming();
    channel.tellAfter(3);
    deliver(2);
    expect(onCame).not.toHaveBeenCalled();
    deliver(4);
    expect(onCame).toHaveBeenCalledTimes(1);
    channel.tellAfter(1);
    deliver(1);
    expect(onCame).toHaveBeenCalledTimes(2);
  });
});
