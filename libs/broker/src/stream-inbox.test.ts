import type { Channel } from 'amqplib';
import { describe, expect, it, vi } from 'vitest';
import { StreamInbox } from './stream-inbox.ts';
import type { StreamMessage } from './stream-message.ts';

const channel = {} as Channel;
const message = (offset: number) => ({ offset }) as StreamMessage;

/** An inbox whose calls are the test's to answer. */
function setUp() {
  const calls: { offsets: number[]; answer: () => void; refuse: (error: Error) => void }[] = [];
  const acked: number[] = [];
  const failures: number[] = [];
  const inbox = new StreamInbox({
    take: (messages) =>
      new Promise((answer, refuse) =>
        calls.push({ offsets: messages.map(({ offset }) => offset), answer, refuse }),
      ),
    onTaken: (_, tag) => void acked.push(tag),
    onFailed: () => {},
    pauseMs: (count) => {
      failures.push(count);
      return 0;
    },
  });
  const add = (...offsets: number[]) => {
    for (const offset of offsets) inbox.add(message(offset), channel, offset + 1);
  };
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
  return { inbox, calls, acked, failures, add, turn };
}

describe('an inbox', () => {
  it('hands over what there is, one call at a time, and acks it together', async () => {
    const { calls, acked, add, turn } = setUp();
    add(0, 1);
    await turn();
    add(2, 3);
    await turn();
    expect(calls.map(({ offsets }) => offsets)).toEqual([[0, 1]]);
    calls[0]?.answer();
    await turn();
    expect(calls.map(({ offsets }) => offsets)).toEqual([
      [0, 1],
      [2, 3],
    ]);
    expect(acked).toEqual([2]);
  });

  it('gives again what was refused, and nothing else before it', async () => {
    const { calls, acked, failures, add } = setUp();
    const called = (times: number) => vi.waitFor(() => expect(calls).toHaveLength(times));
    add(0);
    await called(1);
    add(1);
    calls[0]?.refuse(new Error('the store is away'));
    await called(2);
    calls[1]?.refuse(new Error('still'));
    await called(3);
    calls[2]?.answer();
    await called(4);
    expect(calls.map(({ offsets }) => offsets)).toEqual([[0], [0], [0], [1]]);
    expect(failures).toEqual([1, 2]);
    expect(acked).toEqual([1]);
  });

  it('forgets what waits, not what is being taken', async () => {
    const { inbox, calls, add, turn } = setUp();
    add(0);
    await turn();
    add(1, 2);
    expect(inbox.forget()).toBe(1);
    expect(inbox.forget()).toBeUndefined();
    calls[0]?.answer();
    await turn();
    expect(calls).toHaveLength(1);
  });

  it('is closed when its last call was answered, and repeats nothing then', async () => {
    const { inbox, calls, acked, add, turn } = setUp();
    add(0);
    await turn();
    add(1);
    let isClosed = false;
    const closing = inbox.close().then(() => {
      isClosed = true;
    });
    await turn();
    expect(isClosed).toBe(false);
    calls[0]?.refuse(new Error('no'));
    await closing;
    expect(calls).toHaveLength(1);
    expect(acked).toEqual([]);
  });
});
