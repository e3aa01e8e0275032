import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { started } from './publisher.fixture.ts';

const NACKED = new Error('message nacked');
/** Within this a new channel is open. */
const REOPENED_MS = 200;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a publish that the broker refuses', () => {
  it('is sent again on a new channel', async () => {
    const { broker, publish, sentIds, answer } = await started();
    const one = publish('a');
    await answer('a', NACKED);
    await vi.advanceTimersByTimeAsync(REOPENED_MS);
    expect([one.now, broker.channels.length, sentIds()]).toEqual(['waiting', 2, ['a']]);
    await answer('a');
    expect(one.now).toBe('confirmed');
  });

  it('is rejected when it is refused there too, and reported once', async () => {
    const onOutcome = vi.fn();
    const { publish, answer } = await started({}, { onOutcome });
    const one = publish('a');
    await answer('a', NACKED);
    await vi.advanceTimersByTimeAsync(REOPENED_MS);
    await answer('a', NACKED);
    expect(one.now).toBe('PUBLISH_REFUSED');
    expect(onOutcome.mock.calls.map(([, outcome]) => outcome)).toEqual(['nacked']);
  });

  it('is rejected at its deadline when no channel comes', async () => {
    const { broker, publish, answer } = await started({ timeoutMs: 1_000 });
    const one = publish('a');
    await answer('a', NACKED);
    broker.goesDown();
    await vi.advanceTimersByTimeAsync(1_100);
    expect(one.now).toBe('PUBLISH_TIMEOUT');
  });

  it('is sent again also while the publisher is closing', async () => {
    const { publisher, publish, answer } = await started();
    const one = publish('a');
    const closed = publisher.close();
    await answer('a', NACKED);
    await vi.advanceTimersByTimeAsync(REOPENED_MS);
    await answer('a');
    await closed;
    expect(one.now).toBe('confirmed');
  });
});

describe('the channel that refused', () => {
  it('is given up once all else is answered, and what comes meanwhile waits for the next', async () => {
    const { broker, publish, sentIds, answer } = await started();
    const [refused, slow] = ['refused', 'slow'].map((id) => publish(id));
    await answer('refused', NACKED);
    const later = publish('later');
    await vi.advanceTimersByTimeAsync(REOPENED_MS);
    expect([broker.channels.length, sentIds()]).toEqual([1, ['refused', 'slow']]);
    await answer('slow');
    await vi.advanceTimersByTimeAsync(REOPENED_MS);
    expect([broker.channels.length, sentIds()]).toEqual([2, ['refused', 'later']]);
    for (const id of ['refused', 'later']) await answer(id);
    expect([refused, slow, later].map((one) => one?.now)).toEqual(Array(3).fill('confirmed'));
  });

  it('is not waited for longer than a second: what it has not answered is sent again', async () => {
    const { broker, publish, sentIds, answer } = await started();
    const stuck = publish('stuck');
    publish('refused');
    await answer('refused', NACKED);
    await vi.advanceTimersByTimeAsync(1_000 + REOPENED_MS);
    expect([broker.channels.length, sentIds()]).toEqual([2, ['stuck', 'refused']]);
    await answer('stuck');
    expect(stuck.now).toBe('confirmed');
  });

  it('is given up once a second at most', async () => {
    const { broker, publish, answer } = await started();
    publish('a');
    await answer('a', NACKED);
    await vi.advanceTimersByTimeAsync(REOPENED_MS);
    const one = publish('b');
    await answer('b', NACKED);
    await vi.advanceTimersByTimeAsync(REOPENED_MS);
    expect([one.now, broker.channels.length]).toEqual(['PUBLISH_REFUSED', 2]);
  });
});
