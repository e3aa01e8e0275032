import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shortened, visible, visibleJson } from './visible.ts';

const UNSAFE = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const anyText = fc.string({ unit: 'binary' });

describe('visible', () => {
  it.each([
    ['\u001b[2J', '\\u001b[2J'],
    ['a\nb\r\tc', 'a\\u000ab\\u000d\\u0009c'],
    ['\u009b31m', '\\u009b31m'],
    ['user\u202egpj.exe', 'user\\u202egpj.exe'],
    ['half \ud800', 'half \ufffd'],
    ['Grüße 語 🙂', 'Grüße 語 🙂'],
  ])('shows %j as %j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it('leaves nothing that a terminal obeys', () => {
    fc.assert(fc.property(anyText, (text) => void expect(visible(text)).not.toMatch(UNSAFE)));
  });
});

describe('visibleJson', () => {
  it('parses to the same value, and holds nothing that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.boolean(), (value, indented) => {
        const text = visibleJson(value, indented ? 2 : undefined);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(text.replaceAll('\n', '')).not.toMatch(UNSAFE);
      }),
    );
  });
});

describe('shortened', () => {
  it('marks where it cut', () => {
    expect(shortened('abc', 3)).toBe('abc');
    expect(shortened('abcd', 3)).toBe('abc…');
  });
});
