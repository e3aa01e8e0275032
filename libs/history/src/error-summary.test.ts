import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText, summariseError } from './error-summary.ts';

const bytes = (text: string | undefined) => Buffer.byteLength(text ?? '');

describe('summariseError', () => {
  it('keeps name, message and stack', () => {
    const error = new RangeError('too far');
    const { name, message, stack } = summariseError(error);
    expect([name, message]).toEqual(['RangeError', 'too far']);
    expect(stack).toBe(error.stack);
  });

  const trap = () => {
    throw new Error('trap');
  };
  it.each([
    ['a text', 'boom', { name: 'string', message: 'boom' }],
    ['nothing', undefined, { name: 'undefined', message: 'undefined' }],
    ['null', null, { name: 'object', message: 'null' }],
    ['a symbol', Symbol('s'), { name: 'symbol', message: 'Symbol(s)' }],
    ['an object', { message: 'm' }, { name: 'Error', message: 'm' }],
    [
      'fields that are no texts',
      { name: 1, message: {}, stack: [] },
      { name: 'Error', message: '' },
    ],
    [
      'getters that throw',
      Object.defineProperty({}, 'message', { get: trap }),
      { name: 'Error', message: '' },
    ],
    ['a hostile proxy', new Proxy({}, { get: trap, has: trap }), { name: 'Error', message: '' }],
  ])('takes %s', (_, thrown, summary) => {
    expect(summariseError(thrown)).toEqual(summary);
  });

  it('is bounded and holds nothing that a database refuses', () => {
    const text = fc.string({
      unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)),
      maxLength: 9_000,
    });
    fc.assert(
      fc.property(text, text, text, (name, message, stack) => {
        const summary = summariseError({ name, message, stack });
        expect(bytes(summary.name)).toBeLessThanOrEqual(200);
        expect(bytes(summary.message)).toBeLessThanOrEqual(4_096);
        expect(bytes(summary.stack)).toBeLessThanOrEqual(8_192);
        for (const one of Object.values(summary) as string[]) {
          expect(one).not.toContain('\0');
          expect(Buffer.from(one).toString()).toBe(one);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('plainText', () => {
  it('leaves a text that fits as it is, and cuts between characters', () => {
    expect(plainText('día', 4)).toBe('día');
    expect(plainText('día', 2)).toBe('d');
    expect(plainText('a😀b', 4)).toBe('a');
    expect(plainText('a😀b', 5)).toBe('a😀');
    expect(plainText('a\0b\ud800c', 9)).toBe('abc');
  });
});
