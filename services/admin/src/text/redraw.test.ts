import { expect, it } from 'vitest';
import { inPlace } from './redraw.ts';

const [home, line, rest] = ['\u001b[H', '\u001b[K\n', '\u001b[J'];

it('writes over what is there, and clears what is left of it', () => {
  expect(inPlace('a\nb\n', 24)).toBe(`${home}a${line}b${line}${rest}`);
  expect(inPlace('a')).toBe(`${home}a${line}${rest}`);
});

it('leaves out what would scroll', () => {
  expect(inPlace('a\nb\nc\nd\n', 4)).toBe(`${home}a${line}b${line}2 more lines${line}${rest}`);
  expect(inPlace('a\nb\nc\n', 4)).toBe(`${home}a${line}b${line}c${line}${rest}`);
});
