import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLines } from './read-lines.ts';

it('numbers the lines, wherever the input is cut', async () => {
  const text = '{"a":"ü"}\n\n  \r\n{"b":"🙂"}\r\nlast';
  const bytes = Buffer.from(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat({ max: bytes.length })), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const parts = edges.slice(1).map((end, at) => bytes.subarray(edges[at], end));
      const lines = [];
      for await (const line of readLines(
        (async function* () {
          yield* parts;
        })(),
      ))
        lines.push(line);
      expect(lines.map(({ number, text }) => [number, text.trim()])).toEqual([
        [1, '{"a":"ü"}'],
        [4, '{"b":"🙂"}'],
        [5, 'last'],
      ]);
    }),
  );
});
