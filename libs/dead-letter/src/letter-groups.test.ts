import { expect, it } from 'vitest';
import { type Grouped, LetterGroups } from './letter-groups.ts';

const asItIs = async ({ error }: Grouped) => error;

const letter = (id: string | undefined, error: string | undefined, deadAtMs?: number) => ({
  id,
  type: 'a.b',
  reason: 'attempts_exhausted',
  error,
  deadAtMs,
});

it('counts by trouble, the most frequent first, with times and a sample', async () => {
  const groups = new LetterGroups(asItIs);
  groups.add(letter('1', 'attempt 1: Error: a 1', 50));
  groups.add(letter('2', 'attempt 1: TypeError: b', undefined));
  groups.add(letter('3', 'attempt 2: Error: a 2', 30));
  groups.add(letter(undefined, 'attempt 1: Error: a 3', 40));
  groups.add({ ...letter('4', 'attempt 1: Error: a 1'), type: 'c.d' });
  expect(await groups.list()).toMatchObject([
    { type: 'a.b', errorClass: 'Error', count: 3, firstSeenMs: 30, lastSeenMs: 50, sampleId: '3' },
    { type: 'a.b', errorClass: 'TypeError', count: 1, firstSeenMs: undefined, sampleId: '2' },
    { type: 'c.d', errorClass: 'Error', count: 1, sampleId: '4' },
  ]);
});

it('keeps no more groups than it has room for', async () => {
  const groups = new LetterGroups(asItIs);
  for (let at = 0; at < 10_005; at += 1) groups.add({ ...letter('1', 'x'), type: `t${at}` });
  groups.add({ ...letter('1', 'x'), type: 't0' });
  const [first, ...rest] = await groups.list();
  expect(rest.length).toBe(9_999);
  expect(groups.ungrouped).toBe(5);
  expect(first?.count).toBe(2);
});

it('tells of each group what may be shown of the first of it, and keeps those apart that have another error', async () => {
  const asked: (string | undefined)[] = [];
  const groups = new LetterGroups(async ({ id, error }) => {
    asked.push(id);
    return error?.replace(/\w+@\w+/, '[redacted]');
  });
  groups.add(letter('1', 'attempt 1: RefusedError: you@there\n    at a (b.ts:1:1)'));
  groups.add(letter('2', 'attempt 1: RefusedError: me@here\n    at a (b.ts:1:1)'));
  groups.add(letter('3', 'me@here'));
  expect(await groups.list()).toMatchObject([
    { errorClass: 'RefusedError', headline: 'RefusedError: [redacted]', count: 2, sampleId: '2' },
    { errorClass: undefined, headline: '[redacted]', count: 1 },
  ]);
  expect(asked).toEqual(['1', '3']);
});
