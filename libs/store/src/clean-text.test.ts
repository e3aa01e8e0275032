import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanText, cutText, wholeNumber } from './clean-text.ts';

const anyText = fc.string({ unit: 'binary' }).map((text) => `${text}\ud800`);

describe('cleanText', () => {
  it('drops NUL and lone halves, and nothing else', () => {
    expect(cleanText('a\0b\ud800c\udc00d😀é')).toBe('abcd😀é');
    expect(cleanText(undefined)).toBe('undefined');
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => cleanText(text) === text.replaceAll('\0', ''),
      ),
    );
  });
});

describe('cutText', () => {
  it('is whole characters of UTF-8 within the bound, the beginning of the text', () => {
    const property = fc.property(anyText, fc.nat({ max: 40 }), (text, maxBytes) => {
      const cut = cutText(text, maxBytes);
      const bytes = Buffer.from(cut);
      expect(bytes.length).toBeLessThanOrEqual(maxBytes);
      expect(bytes.toString()).toBe(cut);
      expect(cleanText(text).startsWith(cut)).toBe(true);
    });
    fc.assert(property);
    expect(cutText('ééé', 5)).toBe('éé');
    expect(cutText('a😀', 4)).toBe('a');
  });
});

describe('wholeNumber', () => {
  it.each([
    [3.9, 3],
    [-1, 0],
    [Number.NaN, 0],
    ['x', 0],
    [undefined, 0],
    [Number.POSITIVE_INFINITY, 100],
    [101, 100],
  ])('makes %s %d', (value, expected) => {
    expect(wholeNumber(value, 100)).toBe(expected);
  });
});
