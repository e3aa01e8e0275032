import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, LineSplitter } from './ndjson-lines.ts';

const LIMIT_BYTES = 8;

function linesOf(chunks: readonly Buffer[]): (string | undefined)[] {
  const splitter = new LineSplitter(LIMIT_BYTES);
  const lines: Line[] = [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
  return lines.map((line) => line?.toString());
}

const cut = (text: string, ...at: number[]) =>
  [0, ...at].map((from, i) => Buffer.from(text).subarray(from, at[i] ?? Infinity));

describe('LineSplitter', () => {
  it('leaves out blank lines, and takes a last line without its end', () => {
    expect(linesOf(cut('a\n\n \t\r\nb\r\n\nc'))).toEqual(['a', 'b\r', 'c']);
  });

  it('drops what is too long, and goes on with the next line', () => {
    expect(linesOf(cut('12345678\n123456789\n1\n123456789'))).toEqual([
      '12345678',
      undefined,
      '1',
      undefined,
    ]);
  });

  it('keeps nothing of a line that is too long, however long', () => {
    const splitter = new LineSplitter(LIMIT_BYTES);
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const beforeBytes = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 200; i += 1) expect(splitter.push(chunk)).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - beforeBytes).toBeLessThan(10 * chunk.length);
    expect(splitter.push(Buffer.from('\nok\n')).map(String)).toEqual(['undefined', 'ok']);
  });

  it('cuts alike, however the stream is cut into chunks', () => {
    const texts = fc.array(
      fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'ä', ' ', '\n') }),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const whole = Buffer.from(parts.join('\n'));
        const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
          whole.subarray(i * size, (i + 1) * size),
        );
        expect(linesOf(chunks)).toEqual(linesOf([whole]));
        const expected = whole
          .toString()
          .split('\n')
          .filter((line) => line.trim() !== '');
        const isTooLong = (line: string) => Buffer.byteLength(line) > LIMIT_BYTES;
        const got = linesOf([whole]).filter((line) => line !== undefined);
        expect(got).toEqual(expected.filter((line) => !isTooLong(line)));
      }),
    );
  });
});
