import type { StreamReaderOptions } from '@warren/broker';
import { newJobId, timeOfJobId } from '@warren/contracts';
import { encodeBatch, type HistoryEvent } from '@warren/history';
import { endingOf, eventually, quietTelemetry } from '@warren/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { JobWaits } from './job-waits.ts';

interface FakeReader {
  readonly options: StreamReaderOptions;
  isClosed: boolean;
}

let readers: FakeReader[];
let waits: JobWaits;
beforeEach(() => {
  readers = [];
  const readStream = (options: StreamReaderOptions) => {
    const reader: FakeReader = { options, isClosed: false };
    readers.push(reader);
    const close = async () => {
      reader.isClosed = true;
    };
    return { start() {}, close, problem: 'not reading yet' } as never;
  };
  waits = new JobWaits({ broker: { readStream }, stream: 'history', ...quietTelemetry() });
});

const TIMEOUT = { timeoutMs: 10_000 };
const succeeded = (id: string, result: unknown, queue = 'a.b'): HistoryEvent => ({
  kind: 'succeeded',
  id,
  type: 'a.b',
  queue,
  atMs: Date.now(),
  generation: 0,
  attempt: 1,
  run: newJobId(),
  durationMs: 1,
  result: JSON.stringify(result),
});
const tell = (...events: HistoryEvent[]) =>
  readers
    .at(-1)
    ?.options.onMessages([{ offset: 1, body: encodeBatch(events), properties: {} as never }]);
const sinceMs = (reader = readers.at(-1)) =>
  (reader?.options.from as { sinceMs?: number } | undefined)?.sinceMs;

describe('waits for jobs', () => {
  it('share one reader, which begins a little before the job was published', async () => {
    const [a, b] = [newJobId(), newJobId()];
    const results = Promise.all([waits.wait(a, TIMEOUT), waits.wait(b, TIMEOUT)]);
    expect(readers).toHaveLength(1);
    expect(sinceMs()).toBe((timeOfJobId(a) ?? 0) - 10_000);
    await tell(succeeded(b, 2), succeeded(a, 1));
    expect(await results).toEqual([1, 2]);
    // Remembered.
    expect(await waits.wait(a, TIMEOUT)).toBe(1);
    expect(readers).toHaveLength(1);
  });

  it('that look further back have the stream read again, once for many', async () => {
    const now = waits.wait(newJobId(), { timeoutMs: 500 }).catch(() => 'late');
    const since = [3_600_000, 7_200_000, 1_800_000].map((backMs) => new Date(Date.now() - backMs));
    const ids = since.map(() => newJobId());
    const old = ids.map((id, n) => waits.wait(id, { ...TIMEOUT, since: since[n] }));
    await eventually('there is another reader', () => readers.length === 2);
    expect(sinceMs()).toBe(Number(since[1]) - 10_000);
    expect(readers.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    await tell(...ids.map((id) => succeeded(id, id)));
    expect(await Promise.all(old)).toEqual(ids);
    expect(await now).toBe('late');
  });

  it('for one queue pass over the ends in others', async () => {
    const id = newJobId();
    const waiting = waits.wait(id, { ...TIMEOUT, queue: 'two' });
    await tell(succeeded(id, 1, 'one'));
    await tell(succeeded(id, 2, 'two'));
    expect(await waiting).toBe(2);
  });

  it('say that the history cannot be read, when they are over', async () => {
    await expect(waits.wait('id', { timeoutMs: 5 })).rejects.toMatchObject({
      code: 'WAIT_TIMEOUT',
      message: expect.stringContaining('not reading yet'),
    });
  });

  it('leave no reader behind', async () => {
    vi.useFakeTimers();
    try {
      const id = newJobId();
      const waiting = waits.wait(id, TIMEOUT);
      await tell(succeeded(id, 1));
      await waiting;
      await vi.advanceTimersByTimeAsync(29_000);
      expect(readers[0]?.isClosed).toBe(false);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(readers[0]?.isClosed).toBe(true);
      // What was remembered may be outdated by now: it is read anew.
      void waits.wait(id, { timeoutMs: 1 }).catch(() => {});
      expect(readers).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('end at the close', async () => {
    const waiting = endingOf(waits.wait(newJobId(), TIMEOUT));
    await waits.close();
    expect(await waiting).toBe('SHUTTING_DOWN');
    expect(readers[0]?.isClosed).toBe(true);
    expect(await endingOf(waits.wait(newJobId(), TIMEOUT))).toBe('SHUTTING_DOWN');
    expect(readers).toHaveLength(1);
  });
});
