import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { message, started, watch } from './publisher.fixture.ts';
import type { PublisherOptions } from './publisher-options.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('answers', () => {
  it('resolves at the confirm and not before', async () => {
    const { publish, answer } = await started();
    const one = publish('a');
    await vi.advanceTimersByTimeAsync(100);
    expect(one.now).toBe('waiting');
    await answer('a');
    expect(one.now).toBe('confirmed');
  });

  it('ties a return to its publish, whatever the order of the others', async () => {
    const { broker, publish, answer } = await started();
    const publishes = ['a', 'b', 'c'].map((id) => publish(id));
    const [, b] = broker.channel.sent;
    if (b) broker.channel.returns(b);
    for (const id of ['c', 'b', 'a']) await answer(id);
    expect(publishes.map(({ now }) => now)).toEqual(['confirmed', 'UNROUTABLE', 'confirmed']);
  });

  it('tells a return of one address from another publish with the same id', async () => {
    const { broker, publish } = await started();
    const there = publish('a');
    const elsewhere = publish('a', { routingKey: 'gone' });
    const [first, second] = broker.channel.sent;
    if (second) broker.channel.returns(second);
    second?.answer(null);
    first?.answer(null);
    await vi.advanceTimersByTimeAsync(0);
    expect([there.now, elsewhere.now]).toEqual(['confirmed', 'UNROUTABLE']);
  });

  it('reports each outcome once, with its error', async () => {
    const onOutcome = vi.fn();
    const { publish, answer } = await started({ timeoutMs: 1_000 }, { onOutcome });
    for (const id of ['a', 'b']) publish(id);
    await answer('a');
    await vi.advanceTimersByTimeAsync(1_100);
    await answer('b');
    const seen = onOutcome.mock.calls.map(([{ properties }, outcome, , error]) => [
      properties.messageId,
      outcome,
      error?.code,
    ]);
    expect(seen).toEqual([
      ['a', 'confirmed', undefined],
      ['b', 'timeout', 'PUBLISH_TIMEOUT'],
    ]);
  });

  it('rejects a message that cannot be encoded, and sends the next one', async () => {
    const { publish, answer } = await started();
    const properties = { ...message('bad').properties, headers: { n: 10n } };
    const bad = publish('bad', { properties });
    const good = publish('good');
    await answer('good');
    expect([bad.now, good.now]).toEqual(['HEADER_INVALID', 'confirmed']);
  });
});

describe('deadlines', () => {
  it('says "unknown" when no confirm comes in time; a late one changes nothing', async () => {
    const { publisher, publish, answer } = await started({ timeoutMs: 1_000 });
    const one = publish('a');
    await vi.advanceTimersByTimeAsync(900);
    expect(one.now).toBe('waiting');
    await vi.advanceTimersByTimeAsync(200);
    expect(one.now).toBe('PUBLISH_TIMEOUT');
    await answer('a');
    expect(one.now).toBe('PUBLISH_TIMEOUT');
    expect(publisher.unconfirmed).toBe(0);
  });

  it('holds for each, whatever the order of the deadlines', async () => {
    const { publish } = await started();
    const [long, short, middle] = [
      publish('long', {}, 3_000),
      publish('short', {}, 1_000),
      publish('middle', {}, 2_000),
    ];
    const now = () =>
      [long, short, middle].map((one) => (one?.now === 'waiting' ? 'waiting' : 'over'));
    await vi.advanceTimersByTimeAsync(1_100);
    expect(now()).toEqual(['waiting', 'over', 'waiting']);
    const late = publish('late', {}, 100);
    await vi.advanceTimersByTimeAsync(200);
    expect(late.now).toBe('PUBLISH_TIMEOUT');
    await vi.advanceTimersByTimeAsync(800);
    expect(now()).toEqual(['waiting', 'over', 'over']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(now()).toEqual(['over', 'over', 'over']);
  });

  it('goes on with what waits once unanswered publishes have left the window', async () => {
    const { publish, sentIds, answer } = await started({ maxUnconfirmed: 1 });
    const stuck = publish('stuck', {}, 500);
    const next = publish('next', {}, 5_000);
    expect(sentIds()).toEqual(['stuck']);
    await vi.advanceTimersByTimeAsync(600);
    expect(stuck.now).toBe('PUBLISH_TIMEOUT');
    expect(sentIds()).toEqual(['stuck', 'next']);
    await answer('next');
    expect(next.now).toBe('confirmed');
  });

  it('keeps to its window and to the order of the calls', async () => {
    const { publisher, publish, sentIds, answer } = await started({ maxUnconfirmed: 2 });
    for (const id of ['a', 'b', 'c', 'd']) publish(id);
    expect(sentIds()).toEqual(['a', 'b']);
    expect([publisher.unconfirmed, publisher.buffered]).toEqual([2, 2]);
    await answer('b');
    expect(sentIds()).toEqual(['a', 'b', 'c']);
  });

  it('sends no more bytes than may be unconfirmed, but a large message by itself', async () => {
    const { publish, sentIds, answer } = await started({
      buffer: { maxMessages: 10, maxBytes: 300 },
    });
    const body = (bytes: number) => ({ body: Buffer.alloc(bytes) });
    for (const id of ['a', 'b', 'c']) publish(id, body(200));
    expect(sentIds()).toEqual(['a', 'b']);
    await answer('a');
    expect(sentIds()).toEqual(['a', 'b', 'c']);
    for (const id of ['b', 'c']) await answer(id);
    publish('large', body(1_000));
    expect(sentIds()).toEqual(['a', 'b', 'c', 'large']);
  });

  it('refuses what its buffer cannot hold', async () => {
    const { publish } = await started({
      maxUnconfirmed: 1,
      buffer: { maxMessages: 1, maxBytes: 1_000 },
    });
    const publishes = ['sent', 'buffered', 'refused'].map((id) => publish(id));
    await vi.advanceTimersByTimeAsync(0);
    expect(publishes.map(({ now }) => now)).toEqual(['waiting', 'waiting', 'PUBLISH_BUFFER_FULL']);
  });

  it('keeps what it has no room for where that is asked, and tells when there is room again', async () => {
    const { publisher, publish, answer } = await started({
      maxUnconfirmed: 1,
      buffer: { maxMessages: 1, maxBytes: 1_000 },
    });
    for (const id of ['sent', 'buffered']) publish(id);
    expect(publisher.hasRoom).toBe(false);
    const kept = watch(publisher.publish(message('kept'), undefined, 'keep'));
    const tell = vi.fn();
    for (let n = 0; n < 2; n += 1) publisher.onRoom(tell);
    for (const id of ['sent', 'buffered']) await answer(id);
    expect(publisher.hasRoom).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(tell).toHaveBeenCalledOnce();
    await answer('kept');
    expect(kept.now).toBe('confirmed');
  });

  it.each(['closed', 'blocked'])('has nothing to wait for once it is %s', async (how) => {
    const { broker, publisher, publish } = await started({
      maxUnconfirmed: 1,
      buffer: { maxMessages: 1, maxBytes: 1_000 },
    });
    for (const id of ['sent', 'buffered']) publish(id);
    const tell = vi.fn();
    publisher.onRoom(tell);
    await vi.advanceTimersByTimeAsync(100);
    expect(tell).not.toHaveBeenCalled();
    if (how === 'closed') void publisher.close();
    else broker.blocks('low on memory');
    await vi.advanceTimersByTimeAsync(100);
    expect(tell).toHaveBeenCalledOnce();
  });

  it('leaves nobody waiting for room when it closes at once after the last answer', async () => {
    const { publisher, publish, answer } = await started({
      maxUnconfirmed: 1,
      buffer: { maxMessages: 1, maxBytes: 1_000 },
    });
    for (const id of ['sent', 'buffered']) publish(id);
    const tell = vi.fn();
    publisher.onRoom(tell);
    for (const id of ['sent', 'buffered']) await answer(id);
    await publisher.close();
    expect(tell).toHaveBeenCalledOnce();
  });

  it('leaves no timer behind when all is answered', async () => {
    const { publish, answer } = await started();
    publish('a');
    await answer('a');
    await vi.advanceTimersByTimeAsync(100);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a blocking broker', () => {
  it('refuses what is new and what was never sent; what was sent may still be confirmed', async () => {
    const { broker, publish, answer } = await started({ maxUnconfirmed: 1 });
    const [sent, waiting] = ['sent', 'waiting'].map((id) => publish(id));
    broker.blocks('low on memory');
    const fresh = publish('fresh');
    await vi.advanceTimersByTimeAsync(0);
    expect([sent?.now, waiting?.now, fresh.now]).toEqual([
      'waiting',
      'BROKER_BLOCKED',
      'BROKER_BLOCKED',
    ]);
    await answer('sent');
    expect(sent?.now).toBe('confirmed');
    broker.blocks(undefined);
    const after = publish('after');
    await answer('after');
    expect(after.now).toBe('confirmed');
  });
});

describe('what would be refused at once', () => {
  type Started = Awaited<ReturnType<typeof started>>;
  const codeAfter = async (options: PublisherOptions, event: (one: Started) => void) => {
    const one = await started(options);
    event(one);
    return one.publisher.refusal()?.code;
  };

  it('is nothing while a channel is open', async () => {
    expect(await codeAfter({ maxWaitMs: 0 }, () => {})).toBeUndefined();
  });

  it('is everything while the broker blocks, and once it is closed', async () => {
    expect(await codeAfter({}, ({ broker }) => broker.blocks('low on memory'))).toBe(
      'BROKER_BLOCKED',
    );
    expect(await codeAfter({}, ({ publisher }) => void publisher.close())).toBe('SHUTTING_DOWN');
  });

  it('is everything without a channel, unless a publish may wait for one', async () => {
    const closeChannel = ({ broker }: Started) => broker.channel.closes();
    expect(await codeAfter({ maxWaitMs: 0 }, closeChannel)).toBe('BROKER_UNAVAILABLE');
    expect(await codeAfter({ maxWaitMs: 1 }, closeChannel)).toBeUndefined();
  });
});

describe('closing', () => {
  it('refuses new publishes and waits for those under way', async () => {
    const { publisher, publish, answer } = await started({ maxUnconfirmed: 1 });
    const [sent, queued] = ['sent', 'queued'].map((id) => publish(id));
    const closed = watch(publisher.close());
    const refused = publish('late');
    await vi.advanceTimersByTimeAsync(100);
    expect([closed.now, refused.now]).toEqual(['waiting', 'SHUTTING_DOWN']);
    await answer('sent');
    expect(closed.now).toBe('waiting');
    await answer('queued');
    expect([sent?.now, queued?.now, closed.now]).toEqual(Array(3).fill('confirmed'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits for those that are repeated, also where a channel error ends others', async () => {
    const { broker, publisher, publish, answer } = await started();
    const large = publish('large', { body: Buffer.alloc(200) });
    const innocent = publish('innocent');
    const closed = watch(publisher.close());
    broker.channel.closes({
      code: 406,
      text: 'PRECONDITION_FAILED - message size 200 is larger than configured max size 100',
    });
    await vi.advanceTimersByTimeAsync(100);
    expect([large.now, innocent.now, closed.now]).toEqual([
      'PAYLOAD_TOO_LARGE',
      'waiting',
      'waiting',
    ]);
    await answer('innocent');
    expect([innocent.now, closed.now]).toEqual(['confirmed', 'confirmed']);
  });

  it('opens no channel any more, whoever starts it afterwards', async () => {
    const { broker, publisher } = await started();
    await publisher.close();
    publisher.start();
    broker.channel.closes();
    broker.comesUp();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(broker.channels).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends by the deadlines when nothing answers', async () => {
    const { broker, publisher, publish } = await started({ timeoutMs: 1_000 });
    const one = publish('a');
    broker.goesDown();
    const closed = watch(publisher.close());
    await vi.advanceTimersByTimeAsync(1_100);
    expect([one.now, closed.now]).toEqual(['PUBLISH_TIMEOUT', 'confirmed']);
  });
});

describe('a clock that is set while a publish is under way', () => {
  const HOUR_MS = 3_600_000;

  it('back: deadlines hold', async () => {
    const { publish } = await started({ timeoutMs: 1_000 });
    const one = publish('a');
    vi.setSystemTime(Date.now() - HOUR_MS);
    await vi.advanceTimersByTimeAsync(1_100);
    expect(one.now).toBe('PUBLISH_TIMEOUT');
  });

  it('ahead: nothing is given up for it, nor measured by it', async () => {
    const onOutcome = vi.fn();
    const { publish, answer } = await started({ timeoutMs: 1_000 }, { onOutcome });
    const one = publish('a');
    vi.setSystemTime(Date.now() + HOUR_MS);
    await vi.advanceTimersByTimeAsync(500);
    expect(one.now).toBe('waiting');
    await answer('a');
    expect(one.now).toBe('confirmed');
    expect(onOutcome.mock.calls[0]?.[2]).toBeLessThan(1_000);
  });
});
