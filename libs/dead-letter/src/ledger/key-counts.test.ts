import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyCounts } from './key-counts.ts';

/** Few first words, so that many keys want the same slot. */
const key = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5 }), fc.nat(2_000))
  .map(([first, second, third]) => {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32LE(first, 0);
    bytes.writeUInt32LE(second, 4);
    bytes.writeUInt32LE(third, 12);
    return bytes;
  });

it('counts as a map does, also when it has grown', () => {
  const changes = fc.array(fc.tuple(key, fc.integer({ min: -3, max: 3 })), {
    maxLength: 3_000,
    size: 'max',
  });
  fc.assert(
    fc.property(changes, key, (all, other) => {
      const counts = new KeyCounts();
      const model = new Map<string, number>();
      for (const [one, count] of all) {
        counts.add(one, count);
        const name = one.toString('hex');
        model.set(name, (model.get(name) ?? 0) + count);
      }
      expect(counts.size).toBe(model.size);
      const asked = [other, ...all.map(([one]) => one)];
      const told = asked.map((one) => counts.of(one));
      expect(told).toEqual(asked.map((one) => model.get(one.toString('hex'))));
    }),
    { numRuns: 10 },
  );
});
