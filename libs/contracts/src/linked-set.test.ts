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

  it('goes on behind one that is deleted while it is looked at', () => {
    const items = [new Item(), new Item(), new Item()];
    const set = new LinkedSet<Item>();
    for (const item of items) set.add(item);
    const seen: Item[] = [];
    for (const item of set) {
      seen.push(item);
      set.delete(item);
    }
    expect(seen).toEqual(items);
    expect(set.size).toBe(0);
  });
});
