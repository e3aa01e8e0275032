import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { message, started } from './publisher.fixture.ts';

/** The supervisor's longest first pause before it opens another channel. */
const REOPEN_MS = 50;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('without a channel', () => {
  it('sends what was not answered again on the next channel, in order, with the same id', async () => {
    const { broker, publish, sentIds, answer } = await started();
    const publishes = ['a', 'b'].map((id) => publish(id));
    broker.goesDown();
    const late = publish('c');
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(broker.channels).toHaveLength(2);
    expect(sentIds()).toEqual(['a', 'b', 'c']);
    for (const id of ['a', 'b', 'c']) await answer(id);
    expect([...publishes, late].map(({ now }) => now)).toEqual(Array(3).fill('confirmed'));
  });

  it('forgets a return whose confirm did not come: the repeated publish is judged anew', async () => {
    const { broker, publish, answer } = await started();
    const one = publish('a');
    const [sent] = broker.channel.sent;
    if (sent) broker.channel.returns(sent);
    broker.goesDown();
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    await answer('a');
    expect(one.now).toBe('confirmed');
  });

  it('waits for a connection as long as it may: "never sent" is another answer than "unknown"', async () => {
    const { broker, publish } = await started({ maxWaitMs: 2_000, timeoutMs: 10_000 });
    const sent = publish('sent');
    broker.goesDown();
    const unsent = publish('unsent');
    await vi.advanceTimersByTimeAsync(1_900);
    expect([sent.now, unsent.now]).toEqual(['waiting', 'waiting']);
    await vi.advanceTimersByTimeAsync(200);
    expect([sent.now, unsent.now]).toEqual(['waiting', 'BROKER_UNAVAILABLE']);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(sent.now).toBe('PUBLISH_TIMEOUT');
  });

  it('refuses at once where it may not wait', async () => {
    const { broker, publish } = await started({ maxWaitMs: 0 });
    broker.goesDown();
    const one = publish('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(one.now).toBe('BROKER_UNAVAILABLE');
  });

  it('keeps a publish that meets a closing channel for the next one', async () => {
    const { broker, publish, sentIds, answer } = await started();
    broker.channel.isClosing();
    const one = publish('a');
    const two = publish('b');
    await vi.advanceTimersByTimeAsync(0);
    expect([one.now, two.now]).toEqual(['waiting', 'waiting']);
    broker.channel.closes();
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(sentIds()).toEqual(['a', 'b']);
    await answer('a');
    await answer('b');
    expect([one.now, two.now]).toEqual(['confirmed', 'confirmed']);
  });
});

describe('a channel that the broker closes', () => {
  const missing = { code: 404, text: "NOT_FOUND - no exchange 'gone' in vhost '/'" };

  it('declares a missing exchange again before it repeats', async () => {
    const repair = vi.fn(async () => undefined);
    const { broker, publish, answer } = await started({}, { repair });
    const one = publish('a', { exchange: 'gone' });
    broker.channel.closes(missing);
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    expect(repair).toHaveBeenCalledOnce();
    await answer('a');
    expect(one.now).toBe('confirmed');
  });

  it('says what stands in the way of that', async () => {
    const repair = async () => 'exchange gone has another type';
    const { publisher, broker } = await started({}, { repair });
    const refusal = publisher.publish(message('a', { exchange: 'gone' })).catch(String);
    for (let i = 0; i < 3; i += 1) {
      broker.channel.closes(missing);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(await refusal).toMatch(/no exchange 'gone'.*gone has another type/);
  });

  it.each([
    missing,
    {
      code: 403,
      text: "ACCESS_REFUSED - access to exchange 'gone' in vhost '/' refused for user 'u'",
    },
  ])('gives up on a message for that exchange, not on its neighbours: $code', async (error) => {
    const { broker, publish, answer } = await started();
    const guilty = publish('guilty', { exchange: 'gone' });
    const innocent = publish('innocent');
    for (let i = 0; i < 3; i += 1) {
      broker.channel.closes(error);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect([guilty.now, innocent.now]).toEqual(['UNROUTABLE', 'waiting']);
    await answer('innocent');
    expect(innocent.now).toBe('confirmed');
  });

  it('finds what is too large, and leaves the neighbours alone however often that happens', async () => {
    const { broker, publish, answer } = await started();
    const innocent = publish('innocent');
    for (const size of [101, 102, 103, 104]) {
      const large = publish(`large-${size}`, { body: Buffer.alloc(size) });
      broker.channel.closes({
        code: 406,
        text: `PRECONDITION_FAILED - message size ${size} is larger than configured max size 100`,
      });
      await vi.advanceTimersByTimeAsync(1_000);
      expect(large.now).toBe('PAYLOAD_TOO_LARGE');
    }
    await answer('innocent');
    expect(innocent.now).toBe('confirmed');
  });

  it('does not repeat for ever what may be the cause of an error that names nothing', async () => {
    const { broker, publish } = await started();
    const one = publish('a');
    for (let i = 0; i < 3; i += 1) {
      expect(one.now).toBe('waiting');
      broker.channel.closes({ code: 541, text: 'INTERNAL_ERROR' });
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(one.now).toBe('UNROUTABLE');
  });
});

describe('a message that no queue took', () => {
  /** A publisher whose repair ends when the test says so, and a broker that gives back all that it got so far. */
  async function repairing() {
    let repaired = () => {};
    const repair = new Promise<undefined>((resolve) => {
      repaired = () => resolve(undefined);
    });
    const all = await started({}, { repair: () => repair });
    const returnAll = async () => {
      for (const sent of all.broker.channel.sent) {
        all.broker.channel.returns(sent);
        sent.answer(null);
      }
      await vi.advanceTimersByTimeAsync(0);
    };
    const endRepair = async () => {
      repaired();
      await vi.advanceTimersByTimeAsync(0);
    };
    return { ...all, returnAll, endRepair };
  }

  it('is refused with what stands in the way of declaring it again', async () => {
    const repair = async () => 'queue email.send has another x-queue-type';
    const { publisher, broker, answer } = await started({}, { repair });
    const refusal = publisher.publish(message('a')).catch((error: unknown) => error);
    for (const _ of ['sent', 'sent again']) {
      const last = broker.channel.sent.at(-1);
      if (last) broker.channel.returns(last);
      last?.answer(null);
      await answer('none');
    }
    expect(String(await refusal)).toMatch(/another x-queue-type/);
  });

  it('is never taken for another publish with the same id, which was returned as well', async () => {
    const { broker, publish, returnAll, endRepair } = await repairing();
    const publishes = [publish('same'), publish('same')];
    await returnAll();
    expect(publishes.map(({ now }) => now)).toEqual(['waiting', 'waiting']);
    await endRepair();
    const repeated = broker.channel.sent.slice(2);
    expect(repeated).toHaveLength(2);
    for (const sent of repeated) sent.answer(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(publishes.map(({ now }) => now)).toEqual(['confirmed', 'confirmed']);
  });

  it('is sent once on the next channel, where this one closed during the repair', async () => {
    const { broker, publish, sentIds, answer, returnAll, endRepair } = await repairing();
    const one = publish('a');
    await returnAll();
    broker.goesDown();
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(REOPEN_MS);
    await endRepair();
    expect(sentIds()).toEqual(['a']);
    await answer('a');
    expect(one.now).toBe('confirmed');
  });
});
