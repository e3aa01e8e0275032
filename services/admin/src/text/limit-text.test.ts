import { expect, it } from 'vitest';
import { rateText, usedText } from './limit-text.ts';

it('says a rate as it is set', () => {
  expect(rateText({ rate: 60, per: '1m' })).toBe('60/1m');
  expect(rateText({ rate: 60, per: '1m', burst: 5 })).toBe('60/1m, 5 at once');
});

it('says what is used, by the key that waits longest', () => {
  const free = { key: 'acme', burst: 5, left: 2, freeInMs: 0, putOffMs: 0 };
  const full = { ...free, left: 0, freeInMs: 900, putOffMs: 61_000 };
  const use = (keys: number, ...busiest: (typeof free)[]) => ({ name: 'crm', keys, busiest });
  expect(usedText(undefined)).toBe('');
  expect(usedText(use(0))).toBe('nothing');
  expect(usedText(use(1, free))).toBe('1 key, acme: 2 of 5 free');
  expect(usedText(use(7, full))).toBe('7 keys, acme: full for 61.0 s');
  expect(usedText(use(1, { ...free, key: '' }))).toBe('2 of 5 free');
});
