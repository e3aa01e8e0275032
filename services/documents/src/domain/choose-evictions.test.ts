import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseEvictions } from './choose-evictions.ts';

const file = fc.record({
  name: fc.uuid(),
  sizeBytes: fc.nat(100),
  usedAtMs: fc.nat(50),
  isSpare: fc.boolean(),
});
const sum = (files: readonly { readonly sizeBytes: number }[]) =>
  files.reduce((total, { sizeBytes }) => total + sizeBytes, 0);

it('removes spare files only, the oldest, no more than needed, and none where it is of no use', () => {
  fc.assert(
    fc.property(fc.array(file), fc.nat(1_000), (files, maxBytes) => {
      const evicted = chooseEvictions(files, maxBytes);
      const spare = files.filter(({ isSpare }) => isSpare);
      if (!evicted) {
        expect(sum(files) - sum(spare)).toBeGreaterThan(maxBytes);
        return;
      }
      expect(spare).toEqual(expect.arrayContaining([...evicted]));
      expect(sum(files) - sum(evicted)).toBeLessThanOrEqual(maxBytes);
      if (evicted.length > 0)
        expect(sum(files) - sum(evicted.slice(0, -1))).toBeGreaterThan(maxBytes);
      const kept = spare.filter((one) => !evicted.includes(one));
      for (const one of kept) {
        for (const other of evicted) expect(one.usedAtMs).toBeGreaterThanOrEqual(other.usedAtMs);
      }
    }),
  );
});
