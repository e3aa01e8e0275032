import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Linked, LinkedSet } from './linked-set.ts';

class Item implements Linked<Item> {
  before: Item | undefined = undefined;
  after: Item | undefined = undefined;
}

const ITEMS = 8;
const index = fc.nat(ITEMS - 1);
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('add', 'delete'), at: index }),
  fc.record({ kind: fc.constant('clear'), at: index }),
);

describe('a linked set', () => {
  it('holds the same in the same order as a Set, and what left it points to nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const items = Array.from({ length: ITEMS }, () => new Item());
        const [linked, model] = [new LinkedSet<Item>(), new Set<Item>()];
        for (const { kind, at } of steps) {
          const item = items[at] as Item;
          if (kind === 'add') {
            linked.add(item);
            model.add(item);
          } else if (kind === 'delete') expect(linked.delete(item)).toBe(model.delete(item));
          else {
            linked.clear();
            model.clear();
          }
          expect([...linked].map((one) => items.indexOf(one))).toEqual(
            [...model].map((one) => items.indexOf(one)),
          );
          expect(linked.size).toBe(model.size);
          expect(linked.first).toBe(model.values().next().value);
          for (const one of items) {
            expect(linked.has(one)).toBe(model.has(one));
            if (!model.has(one)) expect([one.before, one.after]).toEqual([undefined, undefined]);
          }
        }
      }),
    );
  });

  it('may lose any while it is looked through: those are passed over, and no other', () => {
    const at = (set: LinkedSet<Item>, ...deleted: readonly Item[]) => {
      const seen: Item[] = [];
      for (const item of set) {
        seen.push(item);
        for (const one of deleted) set.delete(one);
      }
      return seen;
    };
    const [a, b, c, d] = [new Item(), new Item(), new Item(), new Item()];
    const set = new LinkedSet<Item>();
    for (const item of [a, b, c, d]) set.add(item);
    expect(at(set, a)).toEqual([a, b, c, d]);
    expect(at(set, c)).toEqual([b, d]);
    expect(at(set, b, d)).toEqual([b]);
    expect(set.size).toBe(0);
  });
});
