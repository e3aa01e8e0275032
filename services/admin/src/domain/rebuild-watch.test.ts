import { expect, it } from 'vitest';
import { RebuildWatch } from './rebuild-watch.ts';

it('says every two seconds how far it is, until it is where it was', () => {
  const watch = new RebuildWatch(100, 0);
  expect(watch.see(-1, 1_999)).toBeUndefined();
  expect(watch.see(10, 2_000)).toBe('on its way');
  expect(watch.see(20, 3_999)).toBeUndefined();
  expect(watch.see(99, 4_000)).toBe('on its way');
  expect(watch.see(100, 4_050)).toBe('done');
});

it('gives up on a tracker that has not moved for a minute, however long the whole takes', () => {
  const watch = new RebuildWatch(100, 0);
  for (const offset of [1, 2, 3]) expect(watch.see(offset, offset * 59_000)).not.toBe('stalled');
  expect(watch.see(3, 3 * 59_000 + 60_000)).not.toBe('stalled');
  expect(watch.see(3, 3 * 59_000 + 60_001)).toBe('stalled');
});
