import { expect, it } from 'vitest';
import { UsageError } from '../exit-codes.ts';
import { readSelection, selectionDetails } from './read-selection.ts';

const NOW = 1_800_000_000_000;

it('reads times as dates or as how long ago', () => {
  expect(readSelection({ since: '90m', until: '2026-11-29T03:00Z' }, NOW)).toMatchObject({
    sinceMs: NOW - 5_400_000,
    untilMs: Date.UTC(2026, 10, 29, 3),
  });
  expect(readSelection({ since: '2d' }, NOW).sinceMs).toBe(NOW - 172_800_000);
  expect(readSelection({ id: ['a'], type: ['t'] }, NOW)).toMatchObject({
    ids: ['a'],
    types: ['t'],
  });
});

it.each([
  [{ since: 'yesterday' }, '--since'],
  [{ until: '7' }, '--until'],
  [{ until: '2026-13-01' }, '--until'],
  [{ fingerprint: ['xyz'] }, '--fingerprint'],
])('refuses %j by name', (options, name) => {
  expect(() => readSelection(options, NOW)).toThrow(UsageError);
  expect(() => readSelection(options, NOW)).toThrow(name);
});

it('tells only what was given', () => {
  expect(selectionDetails({ id: ['a'], since: undefined })).toEqual({ id: ['a'] });
});
