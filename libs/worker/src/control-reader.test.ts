import type { StreamReaderOptions } from '@warren/broker';
import {
  BrokerBlockedError,
  BrokerUnavailableError,
  encodeCancelRequest,
  encodeControlSnapshot,
} from '@warren/contracts';
import { quietTelemetry } from '@warren/testing';
import { buildTopology } from '@warren/topology';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlReader, type ControlReaderOptions } from './control-reader.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A broker whose streams the test feeds; publishes to them fail with these errors first. */
function reading(failures: readonly Error[] = []) {
  const isOpen = { now: true };
  const held = { count: 0 };
  const topology = buildTopology({ jobTypes: [], history: {} });
  const streams = new Map<string, StreamReaderOptions>();
  const left = [...failures];
  const feed = (stream: string, bodies: readonly Buffer[], messageId = 'm', offset = 0) =>
    streams.get(stream)?.onMessages(
      bodies.map((body, at) => ({
        offset: offset + at,
        body,
        properties: { messageId } as never,
      })),
    );
  const broker = {
    topology,
    readStream(options: StreamReaderOptions) {
      streams.set(options.stream, options);
      return { stream: options.stream, start() {}, close: async () => {}, problem: undefined };
    },
    figures: async ([queue = '']) => new Map([[queue, { ready: held.count, consumers: 0 }]]),
    publisher: {
      get isOpen() {
        return isOpen.now;
      },
      async publish(message: { body: Buffer; properties: { messageId: string } }) {
        const failure = left.shift();
        if (failure) throw failure;
        void feed(topology.names.cancels, [message.body], message.properties.messageId);
      },
    },
  } as unknown as ControlReaderOptions['broker'];
  const told = { onCancel: vi.fn(), onSnapshot: vi.fn() };
  const { logger, lines } = quietTelemetry();
  const reader = new ControlReader({ broker, logger, ...told });
  const seen = { started: false };
  const start = () => void reader.start().then(() => (seen.started = true));
  return {
    reader,
    start,
    seen,
    isOpen,
    held,
    feed,
    streams,
    lines,
    names: topology.names,
    ...told,
  };
}

describe('ControlReader', () => {
  it('is there when all from before its start is read, at once where there is a snapshot', async () => {
    const { start, seen, feed, names, lines, onCancel, onSnapshot } = reading();
    const request = { id: 'a', atMs: 1 };
    const snapshot = { pausedQueues: ['a.b'], atMs: 2 };
    void feed(names.cancels, [encodeCancelRequest(request)]);
    const older = encodeControlSnapshot({ pausedQueues: ['c.d'], atMs: 1 });
    const all = [older, encodeControlSnapshot(snapshot), Buffer.from('no snapshot')];
    void feed(names.control, all);
    start();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.started).toBe(true);
    expect(onCancel).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(request));
    expect(onSnapshot).toHaveBeenCalledExactlyOnceWith(snapshot);
    expect(lines).toMatchObject([{ level: 'warn', queue: 'jobs.control' }]);
  });

  it('waits a moment for a snapshot that may not exist', async () => {
    const { start, seen } = reading();
    start();
    await vi.advanceTimersByTimeAsync(99);
    expect(seen.started).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.started).toBe(true);
  });

  it('waits for a snapshot that the broker has, be it slow, and says so where it does not come', async () => {
    const slow = reading();
    slow.held.count = 1;
    slow.start();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(slow.seen.started).toBe(false);
    const snapshot = { pausedQueues: ['a.b'], atMs: 2 };
    void slow.feed(slow.names.control, [encodeControlSnapshot(snapshot)]);
    await vi.advanceTimersByTimeAsync(0);
    expect([slow.seen.started, slow.lines]).toEqual([true, []]);
    const silent = reading();
    silent.held.count = 1;
    silent.start();
    await vi.advanceTimersByTimeAsync(5_200);
    expect([silent.seen.started, silent.lines.length]).toEqual([true, 1]);
  });

  it('finds what was set before where the newest message makes no sense, and nothing that is over', async () => {
    const { start, seen, held, feed, streams, names, onSnapshot } = reading();
    held.count = 3;
    start();
    const nonsense = Buffer.from('{"v":1,"pausedQueues":"all"}');
    void feed(names.control, [nonsense], 'm', 7);
    expect(streams.get(names.control)?.from).toBe('first');
    void feed(names.control, [encodeControlSnapshot({ pausedQueues: [], atMs: 1 })], 'm', 5);
    await vi.advanceTimersByTimeAsync(3_000);
    expect([seen.started, onSnapshot.mock.calls.length]).toEqual([false, 0]);
    const last = { pausedQueues: ['a.b'], atMs: 2 };
    void feed(names.control, [encodeControlSnapshot(last)], 'm', 6);
    void feed(names.control, [nonsense], 'm', 7);
    await vi.advanceTimersByTimeAsync(0);
    expect(onSnapshot).toHaveBeenCalledExactlyOnceWith(last);
    expect(seen.started).toBe(true);
    // One that comes later is heard by the first reader.
    void feed(names.control, [encodeControlSnapshot({ pausedQueues: [], atMs: 1 })], 'm', 9);
    expect(onSnapshot).toHaveBeenCalledTimes(1);
  });

  it('is there at once where nothing that was ever said makes sense', async () => {
    const { start, seen, held, feed, names, onSnapshot } = reading();
    held.count = 1;
    start();
    const nonsense = Buffer.from('{"v":2,"pausedQueues":[]}');
    void feed(names.control, [nonsense], 'm', 3);
    void feed(names.control, [nonsense], 'm', 3);
    await vi.advanceTimersByTimeAsync(100);
    expect([seen.started, onSnapshot.mock.calls.length]).toEqual([true, 0]);
  });

  it('waits for a broker that is away, however long', async () => {
    const away = new BrokerUnavailableError('refused');
    const { start, seen, lines } = reading(Array.from({ length: 50 }, () => away));
    start();
    await vi.advanceTimersByTimeAsync(4_900);
    expect(seen.started).toBe(false);
    await vi.advanceTimersByTimeAsync(300);
    expect(seen.started).toBe(true);
    expect(lines).toEqual([]);
  });

  it('gives the publisher nothing to keep while there is no broker', async () => {
    const { start, seen, isOpen } = reading([new BrokerBlockedError('asked too early')]);
    isOpen.now = false;
    start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.started).toBe(false);
    isOpen.now = true;
    await vi.advanceTimersByTimeAsync(20);
    expect(seen.started).toBe(true);
  });

  it('does not wait for a broker that keeps no streams or takes nothing, and says so', async () => {
    const { start, seen, lines } = reading([new BrokerBlockedError('low on disk')]);
    start();
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.started).toBe(true);
    expect(lines).toEqual([expect.objectContaining({ level: 'warn' })]);
  });

  it('ends its wait when it is closed', async () => {
    const away = new BrokerUnavailableError('refused');
    const { reader, start, seen, lines } = reading(Array.from({ length: 500 }, () => away));
    start();
    await vi.advanceTimersByTimeAsync(50);
    await reader.close();
    await vi.advanceTimersByTimeAsync(0);
    expect([seen.started, lines, vi.getTimerCount()]).toEqual([true, [], 0]);
  });
});
