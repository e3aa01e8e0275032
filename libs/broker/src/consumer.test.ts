import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Consumer } from './consumer.ts';
import type { Delivery } from './delivery.ts';
import { FakeConnection } from './fake-channel.fixture.ts';
import type { PrefetchRange } from './prefetch-policy.ts';

const LOOK_EVERY_MS = 200;

async function consuming(prefetch: number | PrefetchRange) {
  const connection = new FakeConnection();
  const prefetches: number[] = [];
  let newest: Delivery | undefined;
  const consumer = new Consumer(
    connection.asConnection,
    {
      queue: 'email.send',
      prefetch,
      onDelivery: (delivery) => {
        newest = delivery;
      },
      onPrefetch: (next) => void prefetches.push(next),
    },
    { declared: Promise.resolve(), repair: () => Promise.resolve() },
  );
  consumer.start();
  connection.comesUp();
  await vi.advanceTimersByTimeAsync(0);
  let tag = 0;
  let receive: ((message: unknown) => void) | undefined;
  /** Jobs whose handlers take this long, one after the other. */
  const handle = async (count: number, msEach: number) => {
    for (let n = 0; n < count; n += 1) {
      tag += 1;
      // Of the last one some may still come when it has ended.
      receive = [...connection.channel.consumers.values()].at(-1) ?? receive;
      receive?.({ content: Buffer.from('{}'), fields: { deliveryTag: tag }, properties: {} });
      await vi.advanceTimersByTimeAsync(msEach);
      newest?.ack();
    }
  };
  return { consumer, handle, prefetches };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a prefetch that adapts', () => {
  it('grows for fast handlers before the first look is due', async () => {
    const { consumer, handle, prefetches } = await consuming({ min: 10, max: 100 });
    await handle(40, 1);
    expect(prefetches).toEqual([10, 100]);
    await consumer.close();
  });

  it('grows so again when a queue that was worked slowly fills up', async () => {
    const { consumer, handle, prefetches } = await consuming({ min: 10, max: 100 });
    await handle(40, 1);
    await handle(20, LOOK_EVERY_MS);
    expect(prefetches.at(-1)).toBe(10);
    await handle(40, 1);
    expect(prefetches.at(-1)).toBeGreaterThan(10);
    await consumer.close();
  });

  it('leaves what a few jobs of slow handlers say to the look', async () => {
    const { consumer, handle, prefetches } = await consuming({ min: 10, max: 100 });
    await handle(39, 4);
    expect(prefetches).toEqual([10]);
    await consumer.close();
  });

  it('takes the time of a pause for no time of its handlers', async () => {
    const { consumer, handle, prefetches } = await consuming({ min: 10, max: 1_000 });
    await handle(40, 1);
    await consumer.pause();
    await vi.advanceTimersByTimeAsync(60_000);
    await consumer.resume();
    await handle(420, 0);
    expect(prefetches).toEqual([10, 103, 1_000]);
    await consumer.close();
  });

  it('does not grow by what comes while it is being paused', async () => {
    const { consumer, handle, prefetches } = await consuming({ min: 10, max: 100 });
    await handle(39, 1);
    await consumer.pause();
    await handle(1, 1);
    expect(prefetches).toEqual([10]);
    await consumer.close();
  });

  it('does not grow where it is one number', async () => {
    const { consumer, handle, prefetches } = await consuming(10);
    await handle(100, 1);
    expect(prefetches).toEqual([10]);
    await consumer.close();
  });
});
