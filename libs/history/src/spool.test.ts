import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventBatch } from './event-batch.ts';
import { sizeOf } from './event-batch.ts';
import { anyEvent, eventOf } from './history.fixture.ts';
import { Spool } from './spool.ts';

const setUp = (limits: { maxEvents?: number; maxBytes?: number } = {}) => {
  const told = { dropped: 0 };
  const spool = new Spool({ maxEvents: 10_000, maxBytes: 1e9, ...limits }, (events) => {
    told.dropped += events.length;
  });
  return { spool, told };
};

const fill = (spool: Spool, kind: 'started' | 'log', count: number) => {
  for (let one = 0; one < count; one += 1) spool.add(eventOf(kind));
};

const takeAll = (spool: Spool): EventBatch[] => {
  const batches: EventBatch[] = [];
  for (let batch = spool.take(); batch; batch = spool.take()) batches.push(batch);
  return batches;
};

describe('a spool', () => {
  it('makes batches of 500 events, or of what 256 KiB hold', () => {
    const { spool } = setUp();
    fill(spool, 'started', 501);
    expect(takeAll(spool).map(({ events }) => events.length)).toEqual([500, 1]);
    const large = { ...eventOf('log'), message: 'x'.repeat(100_000) };
    for (let one = 0; one < 4; one += 1) spool.add(large);
    expect(takeAll(spool).map(({ events }) => events.length)).toEqual([3, 1]);
  });

  it('drops lines before anything else, the oldest first', () => {
    const { spool, told } = setUp({ maxEvents: 2_000 });
    fill(spool, 'started', 300);
    fill(spool, 'log', 1_200);
    fill(spool, 'started', 600);
    expect(told.dropped).toBe(200);
    const kinds = takeAll(spool).flatMap(({ events }) => events.map(({ kind }) => kind));
    expect(kinds.filter((kind) => kind === 'started')).toHaveLength(900);
    expect(kinds.filter((kind) => kind === 'log')).toHaveLength(1_000);
  });

  it('drops the oldest events when no line is left, but none for a line', () => {
    const { spool, told } = setUp({ maxEvents: 1_000 });
    fill(spool, 'started', 1_000);
    fill(spool, 'log', 5);
    expect([told.dropped, spool.events]).toEqual([5, 1_000]);
    const waiting = spool.add(eventOf('succeeded'))?.whenSettled();
    expect([told.dropped, spool.events]).toEqual([505, 501]);
    const batches = takeAll(spool);
    expect(batches.map(({ events }) => events.length)).toEqual([500, 1]);
    batches[1]?.settle();
    return waiting;
  });

  it('tells those who wait for a batch when it is dropped', async () => {
    const { spool } = setUp({ maxEvents: 500 });
    const waiting = spool.add(eventOf('succeeded'))?.whenSettled();
    fill(spool, 'started', 500);
    await waiting;
    expect(waiting).toBeInstanceOf(Promise);
  });

  it('takes no event that could not be sent', () => {
    const { spool, told } = setUp();
    expect(spool.add({ ...eventOf('log'), message: 'x'.repeat(2_000_000) })).toBeUndefined();
    expect([told.dropped, spool.events, spool.bytes]).toEqual([1, 0, 0]);
  });

  it('keeps its bounds and loses count of nothing, whatever is done with it', () => {
    const step = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ add: anyEvent, times: fc.integer({ min: 1, max: 400 }) }),
      },
      fc.constantFrom('take', 'putBack', 'release', 'drop'),
    );
    const limits = fc.record({
      maxEvents: fc.integer({ min: 1, max: 2_000 }),
      maxBytes: fc.integer({ min: 1_000, max: 400_000 }),
    });
    fc.assert(
      fc.property(limits, fc.array(step, { maxLength: 60 }), (bounds, steps) => {
        const { spool, told } = setUp(bounds);
        const underway: EventBatch[] = [];
        let [added, released] = [0, 0];
        for (const one of steps) {
          if (typeof one === 'object') {
            for (let time = 0; time < one.times; time += 1) spool.add(one.add);
            added += one.times;
          } else if (one === 'take') {
            const batch = spool.take();
            if (batch) underway.push(batch);
          } else {
            const batch = underway.pop();
            if (batch && one === 'release') released += batch.events.length;
            if (batch) spool[one](batch);
          }
          expect(spool.events).toBeLessThanOrEqual(bounds.maxEvents);
          expect(spool.bytes).toBeLessThanOrEqual(bounds.maxBytes);
          expect(added).toBe(spool.events + told.dropped + released);
        }
        const left = [...underway, ...takeAll(spool)].flatMap(({ events }) => events);
        expect(left).toHaveLength(spool.events);
        expect(left.reduce((sum, event) => sum + sizeOf(event), 0)).toBe(spool.bytes);
      }),
    );
  });
});

it('knows about how large an event is', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const plain = JSON.parse(JSON.stringify(event).replace(/[^ -~]|\\./g, '')) as typeof event;
      expect(sizeOf(plain)).toBeGreaterThanOrEqual(JSON.stringify(Object.values(plain)).length / 2);
    }),
  );
});
