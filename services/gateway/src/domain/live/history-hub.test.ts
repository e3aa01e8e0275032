import type { HistoryBatch, HistoryEvent } from '@warren/history';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_BACK_MS } from './catch-up.ts';
import { FollowersFullError, HistoryHub } from './history-hub.ts';
import type { HistorySource } from './history-readers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const OLD = '-';
/** Of now, or of long ago where its id says so. */
const event = (id: string, kind: 'started' | 'succeeded' = 'started'): HistoryEvent => ({
  id,
  type: 'a.b',
  queue: 'a.b',
  atMs: Date.now() - (id.startsWith(OLD) ? MAX_BACK_MS + 1 : 0),
  generation: 0,
  attempt: 1,
  run: 'r',
  ...(kind === 'started' ? { kind, worker: 'w' } : { kind, durationMs: 1 }),
});

/** Readers that a test feeds. */
class Source implements HistorySource {
  readonly opened: {
    readonly from: Parameters<HistorySource['open']>[0];
    readonly feed: (offset: number, ...ids: string[]) => void;
    readonly gap: ((from: number, to: number) => void) | undefined;
    isClosed: boolean;
  }[] = [];

  open(
    from: Parameters<HistorySource['open']>[0],
    onBatch: (batch: HistoryBatch) => void,
    gap?: (from: number, to: number) => void,
  ) {
    const feed = (offset: number, ...ids: string[]) =>
      onBatch({
        events: ids.map((id) => event(id)),
        heartbeats: [],
        circuits: [],
        drops: [],
        firstOffset: offset,
        offset,
      });
    const one = { from, feed, gap, isClosed: false };
    this.opened.push(one);
    const close = async () => {
      one.isClosed = true;
    };
    return { problem: undefined, close };
  }

  at(index: number) {
    const one = this.opened[index];
    if (!one) throw new Error(`reader ${index} was not opened`);
    return one;
  }
}

function following(hub: HistoryHub, after?: number) {
  const seen: string[] = [];
  const gaps: number[][] = [];
  const stop = hub.follow(
    {
      fits: ({ id }) => !id.startsWith('x'),
      onEvents: (events, offset) =>
        void seen.push(`${offset}:${events.map(({ id }) => id).join('')}`),
      onGap: (...gap) => void gaps.push(gap),
    },
    after,
  );
  return { seen, gaps, stop };
}

describe('HistoryHub', () => {
  it('has one reader for all, gives each what fits, and closes it when nobody is left', async () => {
    const source = new Source();
    const hub = new HistoryHub(source, 2);
    const one = following(hub);
    const other = following(hub);
    expect(source.opened.map(({ from }) => from)).toEqual(['next']);
    source.at(0).feed(7, 'a', 'x', 'b');
    source.at(0).feed(8, 'x');
    one.stop();
    source.at(0).feed(9, 'c');
    expect([one.seen, other.seen]).toEqual([['7:ab'], ['7:ab', '9:c']]);
    other.stop();
    await vi.advanceTimersByTimeAsync(20_000);
    const back = following(hub);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(source.at(0).isClosed).toBe(false);
    back.stop();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(source.at(0).isClosed).toBe(true);
    following(hub);
    expect(source.opened).toHaveLength(2);
    await hub.close();
    expect(source.at(1).isClosed).toBe(true);
  });

  it('reads what was before for whoever asks, until both readers meet, and leaves nothing out', () => {
    const source = new Source();
    const hub = new HistoryHub(source, 2);
    const { seen, gaps } = following(hub, 4);
    expect(source.opened.map(({ from }) => from)).toEqual(['next', 5]);
    source.at(1).gap?.(5, 6);
    source.at(1).feed(6, 'a');
    source.at(0).feed(9, 'd');
    source.at(1).feed(8, 'b', 'c');
    source.at(1).feed(9, 'd');
    expect(source.at(1).isClosed).toBe(true);
    source.at(0).feed(10, 'e');
    expect(seen).toEqual(['6:a', '8:bc', '9:d', '10:e']);
    expect(gaps).toEqual([[5, 6]]);
  });

  it('goes over to the common reader also where that one is the later', () => {
    const source = new Source();
    const { seen } = following(new HistoryHub(source, 2), 4);
    source.at(1).feed(5, 'a');
    source.at(1).feed(6, 'b');
    source.at(0).feed(5, 'a');
    expect(source.at(1).isClosed).toBe(true);
    source.at(0).feed(7, 'c');
    expect(seen).toEqual(['5:a', '6:b', '7:c']);
  });

  it('reads no further back than it should, says what it left out, and does not listen to the first reader again', () => {
    vi.setSystemTime(MAX_BACK_MS * 3);
    const source = new Source();
    const { seen, gaps } = following(new HistoryHub(source, 2), 0);
    source.at(0).feed(30, 'z');
    source.at(1).feed(1);
    source.at(1).feed(2, 'a', `${OLD}b`);
    expect(source.at(1).isClosed).toBe(true);
    expect(source.at(2).from).toEqual({ sinceMs: MAX_BACK_MS * 2 });
    source.at(1).feed(3, 'c');
    source.at(1).gap?.(3, 4);
    source.at(2).feed(20, `${OLD}d`);
    source.at(2).feed(30, 'z');
    expect(source.at(2).isClosed).toBe(true);
    source.at(0).feed(31, 'e');
    expect(seen).toEqual([`20:${OLD}d`, '30:z', '31:e']);
    expect(gaps).toEqual([[2, 20]]);
    expect(source.opened).toHaveLength(3);
  });

  it('tells nothing twice, and of no gap, where only an event was old and not its place', () => {
    const source = new Source();
    const { seen, gaps } = following(new HistoryHub(source, 2), 10);
    source.at(1).feed(11, `${OLD}a`, 'b');
    for (const offset of [9, 10]) source.at(2).feed(offset, 'x', 'y');
    source.at(2).feed(12, `${OLD}a`, 'b');
    expect(seen).toEqual([`12:${OLD}ab`]);
    expect(gaps).toEqual([]);
  });

  it('opens no reader any more once it is closed', async () => {
    const source = new Source();
    const hub = new HistoryHub(source, 2);
    const { seen } = following(hub, 10);
    await hub.close();
    source.at(1).feed(11, `${OLD}a`);
    expect([source.opened.length, seen]).toEqual([2, []]);
  });

  it('goes on with a stream that was made anew', () => {
    const source = new Source();
    const { seen, gaps } = following(new HistoryHub(source, 2), 900);
    source.at(1).gap?.(901, 0);
    source.at(1).feed(0, `${OLD}a`);
    source.at(2).feed(5, 'b');
    expect(seen).toEqual(['5:b']);
    expect(gaps).toEqual([
      [901, 0],
      [0, 5],
    ]);
  });

  it('has so many seats, and one that was given back is free once', () => {
    const hub = new HistoryHub(new Source(), 2);
    const leave = hub.seat();
    hub.seat();
    expect(() => hub.seat()).toThrow(FollowersFullError);
    leave();
    leave();
    hub.seat();
    expect(() => hub.seat()).toThrow('2 clients follow');
  });
});
