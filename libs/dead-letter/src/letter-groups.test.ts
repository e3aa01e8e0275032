import { expect, it } from 'vitest';
import { LetterGroups } from './letter-groups.ts';

const letter = (id: string | undefined, error: string | undefined, deadAtMs?: number) => ({
  id,
  type: 'a.b',
  reason: 'attempts_exhausted',
  error,
  deadAtMs,
});

it('counts by trouble, the most frequent first, with times and a sample', () => {
  const groups = new LetterGroups();
  groups.add(letter('1', 'attempt 1: Error: a 1', 50));
  groups.add(letter('2', 'attempt 1: TypeError: b', undefined));
  groups.add(letter('3', 'attempt 2: Error: a 2', 30));
  groups.add(letter(undefined, 'attempt 1: Error: a 3', 40));
  groups.add({ ...letter('4', 'attempt 1: Error: a 1'), type: 'c.d' });
  expect(groups.list()).toMatchObject([
    { type: 'a.b', errorClass: 'Error', count: 3, firstSeenMs: 30, lastSeenMs: 50, sampleId: '3' },
    { type: 'a.b', errorClass: 'TypeError', count: 1, firstSeenMs: undefined, sampleId: '2' },
    { type: 'c.d', errorClass: 'Error', count: 1, sampleId: '4' },
  ]);
});

it('keeps no more groups than it has room for', () => {
  const groups = new LetterGroups();
  for (let at = 0; at < 10_005; at += 1) groups.add({ ...letter('1', 'x'), type: `t${at}` });
  groups.add({ ...letter('1', 'x'), type: 't0' });
  expect(groups.list().length).toBe(10_000);
  expect(groups.ungrouped).toBe(5);
  expect(groups.list()[0]?.count).toBe(2);
});
