import type { StreamReaderOptions } from '@warren/broker';
import { decodeControlSnapshot, encodeControlSnapshot } from '@warren/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { counting, pausing } from './control-edits.ts';
import { ControlState, type ControlStateOptions } from './control-state.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A control stream with these messages, each a chunk of its own, that come so late. */
function states(bodies: readonly Buffer[], afterMs: number) {
  const written: unknown[] = [];
  const messages = bodies.map((body, offset) => ({ offset, body, properties: {} as never }));
  const broker = {
    figures: async ([stream = '']) => new Map([[stream, { ready: bodies.length, consumers: 0 }]]),
    readStream({ from, onMessages }: StreamReaderOptions) {
      const deliver = () => void onMessages(messages.slice(from === 'last' ? -1 : 0));
      const timer = bodies.length > 0 ? setTimeout(deliver, afterMs) : undefined;
      const close = async () => clearTimeout(timer);
      return { problem: undefined, start() {}, close };
    },
    publisher: {
      publish: async ({ body }: { body: Buffer }) => void written.push(decodeControlSnapshot(body)),
    },
  } as unknown as ControlStateOptions['broker'];
  const losing = new AbortController();
  const lock = { lost: losing.signal, release: vi.fn(async () => {}) };
  const onNonsense = vi.fn();
  const options = { broker, stream: 'jobs.control', onNonsense, tryLock: async () => lock };
  return { made: new ControlState(options), written, lock, losing, onNonsense };
}

const paused = (...pausedQueues: string[]) => encodeControlSnapshot({ pausedQueues, atMs: 1 });

/** What came of it, once the clock has run. */
async function ending(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  return settled;
}

describe('switching something', () => {
  it.each([1, 4_000])(
    'keeps what is switched already, be it that the stream takes %d ms',
    async (afterMs) => {
      const { made, written } = states([paused('a.b')], afterMs);
      await ending(made.change(pausing('c.d', true)));
      expect(written).toMatchObject([{ pausedQueues: ['a.b', 'c.d'] }]);
    },
  );

  it('is refused where the stream holds what does not come, and nothing is written', async () => {
    const { made, written, lock } = states([paused('a.b')], 60_000);
    expect(await ending(made.change(pausing('c.d', true)))).toMatchObject({
      code: 'BROKER_UNAVAILABLE',
    });
    expect([written, lock.release.mock.calls.length]).toEqual([[], 1]);
    expect(await ending(made.current())).toMatchObject({ code: 'BROKER_UNAVAILABLE' });
  });

  it.each([
    'cut off {"v":1,"pausedQue',
    '{"v":2,"pausedQueues":[]}',
    '{"v":1,"pausedQueues":[],"limits":{"crm":{"rate":0,"per":"1m"}}}',
    '',
  ])('keeps what made sense last where the newest message is %j, and says so', async (text) => {
    const { made, written, onNonsense } = states([paused('a.b'), Buffer.from(text)], 5);
    expect(await ending(made.current())).toMatchObject({ pausedQueues: ['a.b'] });
    await ending(made.change(pausing('c.d', true)));
    expect(written).toMatchObject([{ pausedQueues: ['a.b', 'c.d'] }]);
    expect(onNonsense).toHaveBeenCalledExactlyOnceWith(1);
  });

  it('is the first word where nothing that was said makes sense', async () => {
    const { made, written } = states([Buffer.from('none'), Buffer.from('[]')], 5);
    expect(await ending(made.current())).toEqual({ pausedQueues: [], atMs: 0 });
    await ending(made.change(pausing('c.d', true)));
    expect(written).toMatchObject([{ pausedQueues: ['c.d'] }]);
  });

  it('is the first word where nothing was ever said', async () => {
    const { made, written } = states([], 0);
    expect(await ending(made.current())).toEqual({ pausedQueues: [], atMs: 0 });
    await ending(made.change(pausing('c.d', true)));
    expect(written).toMatchObject([{ pausedQueues: ['c.d'] }]);
  });

  it('is told of before it is done, and not done where it cannot be told, nor where it is so already', async () => {
    const { made, written, lock } = states([paused('a.b')], 1);
    const told = vi.fn(async () => {});
    await ending(made.change(pausing('a.b', true), told));
    await ending(made.change(counting('a.b', { concurrency: 3 }), told));
    expect(told).toHaveBeenCalledTimes(1);
    const set = { 'a.b': { concurrency: 3 } };
    expect(written).toMatchObject([{ pausedQueues: ['a.b'], concurrency: set }]);
    const refuse = () => Promise.reject(new Error('no store'));
    const change = made.change(pausing('a.b', false), refuse);
    expect(await ending(change)).toMatchObject({ message: 'no store' });
    expect([written.length, lock.release.mock.calls.length]).toEqual([1, 3]);
  });

  it('is not done once the lock is lost: another may have switched something', async () => {
    const { made, written, lock, losing } = states([paused('a.b')], 1);
    const lose = async () => losing.abort(new Error('the connection of a lock ended'));
    expect(await ending(made.change(pausing('c.d', true), lose))).toMatchObject({
      message: 'the connection of a lock ended',
    });
    expect([written, lock.release.mock.calls.length]).toEqual([[], 1]);
  });
});
