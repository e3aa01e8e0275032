import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { batchWrites } from './write-batches.ts';

/** A stream that keeps what it was given, by the calls that gave it. */
function recorder(highWaterMark = 1_000) {
  const batches: string[][] = [];
  const stream = new Writable({
    highWaterMark,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      batches.push([chunk]);
      done();
    },
    writev(chunks, done) {
      batches.push(chunks.map(({ chunk }) => chunk as string));
      done();
    },
  });
  batchWrites(stream);
  return { stream, batches };
}

/** The code of this turn has returned. */
const turnOver = () => new Promise((resolve) => setImmediate(resolve));

describe('batchWrites', () => {
  it('hands over together what is written in one go, in its order', async () => {
    const { stream, batches } = recorder();
    stream.write('a');
    stream.write('b');
    stream.write('c');
    expect(batches).toEqual([]);
    await turnOver();
    expect(batches).toEqual([['a', 'b', 'c']]);
  });

  it('holds nothing back for the next turn', async () => {
    const { stream, batches } = recorder();
    stream.write('a');
    await turnOver();
    stream.write('b');
    await turnOver();
    expect(batches).toEqual([['a'], ['b']]);
  });

  it('loses nothing where the stream is ended in the same turn', async () => {
    const { stream, batches } = recorder();
    const ended = new Promise((resolve) => stream.once('finish', resolve));
    stream.write('a');
    stream.end('b');
    await ended;
    expect(batches.flat()).toEqual(['a', 'b']);
  });

  it('says when there is too much, and when there is room again', async () => {
    const { stream } = recorder(2);
    const drained = new Promise((resolve) => stream.once('drain', resolve));
    expect(stream.write('a')).toBe(true);
    expect(stream.write('b')).toBe(false);
    await drained;
    expect(stream.write('c')).toBe(true);
  });

  it('tells each writer when its own part is gone', async () => {
    const { stream, batches } = recorder();
    const gone = new Promise((resolve) => stream.write('a', resolve));
    stream.write('b');
    await gone;
    expect(batches).toEqual([['a', 'b']]);
  });
});
