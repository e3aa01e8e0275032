import { expect, it } from 'vitest';
import { progressLine } from './progress-line.ts';

const line = (done: number, of: number, elapsedMs: number) =>
  progressLine({ word: 'Replaying', done, of, elapsedMs });

it('tells how far, how fast and how long yet', () => {
  expect(line(250, 1_000, 5_000)).toBe(
    'Replaying [######------------------] 25 %  250 of 1000  50/s  15 s left',
  );
  expect(line(10, 100_000, 10_000)).toContain('1.0/s  27.8 h left');
  expect(line(900, 1_000, 900_000)).toContain('1.0/s  2 min left');
});

it('says how many and how fast where nobody knows how many there are', () => {
  const facts = { word: 'Checking', of: undefined };
  expect(progressLine({ ...facts, done: 250, elapsedMs: 5_000 })).toBe('Checking 250  50/s');
  expect(progressLine({ ...facts, done: 1, elapsedMs: 1 })).toBe('Checking 1');
});

it('says nothing of a rate that it does not know, and is never more than whole', () => {
  expect(line(0, 1_000, 9_000)).toBe('Replaying [------------------------] 0 %  0 of 1000');
  expect(line(100, 1_000, 500)).not.toContain('/s');
  expect(line(7, 5, 10_000)).toContain('[########################] 100 %');
  expect(line(0, 0, 0)).toContain('100 %');
});
