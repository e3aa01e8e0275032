import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StreamPosition, type StreamStart } from './stream-position.ts';

const positionAt = (start: StreamStart, ...offsets: number[]) => {
  const position = new StreamPosition(start);
  for (const offset of offsets) position.at(offset);
  return position;
};

describe('a position in a stream', () => {
  it.each([
    ['first', [], 'first'],
    ['last', [], 'last'],
    ['next', [], 'next'],
    [0, [], 0],
    [7, [], 6],
    ['first', [0, 1, 2], 2],
    ['next', [41], 41],
  ] as const)('from %s, after %j, subscribes at %s', (start, offsets, argument) => {
    expect(positionAt(start, ...offsets).argument).toBe(argument);
  });

  it('from what is to come: goes on with when it began, as long as nothing has come', () => {
    const position = new StreamPosition('next');
    position.subscribed(1_000_000);
    position.subscribed(9_000_000);
    expect(position.argument).toEqual({ '!': 'timestamp', value: 990 });
    position.at(5);
    expect(position.argument).toBe(5);
  });

  it('from a time: begins there until something has come', () => {
    const position = new StreamPosition({ sinceMs: 1_500 });
    position.subscribed(9_000_000);
    expect(position.argument).toEqual({ '!': 'timestamp', value: 1 });
    expect(position.mustDeliver).toBe(false);
    position.at(5);
    expect(position.argument).toBe(5);
  });

  it('passes over what was read, and reports what is missing', () => {
    const position = positionAt(7);
    expect(position.at(6)).toEqual({ isNew: false });
    expect(position.at(7)).toEqual({ isNew: true });
    // A segment's own record.
    expect(position.at(9)).toEqual({ isNew: true });
    expect(position.at(12)).toEqual({ isNew: true, gap: [10, 12] });
    expect(position.at(13)).toEqual({ isNew: true });
  });

  it('takes a stream that ends before it for a new one', () => {
    const position = positionAt('first', 0, 1, 2);
    expect(position.mustDeliver).toBe(true);
    position.isShort();
    expect(position.argument).toBe('first');
    expect(position.mustDeliver).toBe(false);
    expect(position.at(0)).toEqual({ isNew: true, gap: [3, 0] });
    expect(position.at(1)).toEqual({ isNew: true });
  });

  it('does not call it new when only its segments were dropped', () => {
    const position = positionAt('first', 0, 1, 2);
    position.isShort();
    expect(position.at(900)).toEqual({ isNew: true, gap: [3, 900] });
  });

  it.each(['first', 'last', 'next', 0] as const)(
    'from %s expects nothing of an empty stream',
    (start) => {
      expect(positionAt(start).mustDeliver).toBe(false);
    },
  );

  it('takes each message once and in order, wherever a connection is lost and whatever was in hand', () => {
    const losses = fc.array(fc.record({ received: fc.nat(20), forgotten: fc.nat(20) }), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(losses, (connections) => {
        const position = new StreamPosition('first');
        const taken: number[] = [];
        for (const { received, forgotten } of connections) {
          const { argument } = position;
          const from = argument === 'first' ? 0 : (argument as number);
          const fresh: number[] = [];
          for (let offset = from; offset < from + received; offset += 1) {
            const { isNew, gap } = position.at(offset);
            expect(gap).toBeUndefined();
            if (isNew) fresh.push(offset);
          }
          const kept = Math.max(0, fresh.length - forgotten);
          taken.push(...fresh.slice(0, kept));
          const lost = fresh[kept];
          if (lost !== undefined) position.backTo(lost);
        }
        expect(taken).toEqual(taken.map((_, index) => index));
      }),
    );
  });
});
