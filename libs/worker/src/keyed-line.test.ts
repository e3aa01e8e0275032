import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KeyedLine } from './keyed-line.ts';

interface Item {
  readonly turn: string;
  readonly limit: string | undefined;
  readonly slots?: string | undefined;
  readonly order: number;
}

const blocked = new Set<string>();
const newLine = () =>
  new KeyedLine<Item>({
    keysOf: (item) => item,
    mayStart: ({ limit, slots }) =>
      ![limit, slots].some((key) => key !== undefined && blocked.has(key)),
    orderOf: ({ order }) => order,
  });
const all = (line: KeyedLine<Item>) => {
  const taken: Item[] = [];
  for (let item = line.next(); item; item = line.next()) taken.push(item);
  return taken;
};

it('takes turns between keys, and keeps the order within one', () => {
  const line = newLine();
  for (let order = 0; order < 6; order += 1) line.add({ turn: 'many', limit: undefined, order });
  for (let order = 6; order < 8; order += 1) line.add({ turn: 'few', limit: undefined, order });
  expect(all(line).map(({ turn, order }) => `${turn} ${order}`)).toEqual([
    ...['many 0', 'few 6', 'many 1', 'few 7', 'many 2', 'many 3', 'many 4', 'many 5'],
  ]);
});

it('passes over what has to wait, and gives what was out its place again', () => {
  const line = newLine();
  for (let order = 0; order < 4; order += 1) line.add({ turn: 'a', limit: 'a', order });
  line.add({ turn: 'b', limit: 'b', order: 4 });
  const first = line.next();
  blocked.add('a');
  if (first) line.add(first);
  expect([line.hasNext, line.next()?.turn, line.hasNext, line.next()]).toEqual([
    ...[true, 'b', false, undefined],
  ]);
  const countOf = (key: string) => line.countWhere(({ limit }) => limit === key);
  expect([line.count, countOf('a'), countOf('b')]).toEqual([4, 4, 0]);
  expect(line.takeBeyond('a', 2).map(({ order }) => order)).toEqual([2, 3]);
  blocked.clear();
  expect(all(line).map(({ order }) => order)).toEqual([0, 1]);
});

it('passes over what has to wait for either of its keys', () => {
  const line = newLine();
  line.add({ turn: 't', limit: 'x', slots: 'y', order: 0 });
  line.add({ turn: 't', limit: 'x', slots: 'z', order: 1 });
  line.add({ turn: 't', limit: undefined, slots: 'y', order: 2 });
  line.add({ turn: 't', limit: 'x', slots: undefined, order: 3 });
  const orders = () => all(line).map(({ order }) => order);
  blocked.add('y').add('w');
  expect(orders()).toEqual([1, 3]);
  blocked.clear();
  blocked.add('x');
  expect(orders()).toEqual([2]);
  blocked.clear();
  expect(orders()).toEqual([0]);
});

it('loses and repeats nothing, and nobody waits for longer than a turn of each', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd');
  const maybe = fc.option(key, { nil: undefined });
  const item = fc.record({ turn: key, limit: maybe, slots: maybe });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 40 }), (items) => {
      const line = newLine();
      const added = items.map((one, order) => ({ ...one, order }));
      for (const one of added) line.add(one);
      const removed = line.remove(({ order }) => order % 7 === 3);
      const taken = all(line);
      expect(line.count).toBe(0);
      expect(new Set([...taken, ...removed])).toEqual(new Set(added));
      expect(taken.length + removed.length).toBe(added.length);
      for (const turn of ['a', 'b', 'c', 'd']) {
        const places = taken.flatMap((one, at) => (one.turn === turn ? [at] : []));
        for (const [at, place] of places.entries()) {
          expect(place - (places[at - 1] ?? -1)).toBeLessThanOrEqual(4);
        }
      }
    }),
  );
});
