import { HEADERS, HeaderInvalidError } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHeaders, type PublishHeaders } from './check-headers.ts';

/** Checks headers as they may come from code without types. */
const check = (headers: unknown) => checkHeaders(headers as PublishHeaders);

function refusal(headers: unknown): HeaderInvalidError {
  try {
    check(headers);
  } catch (error) {
    if (error instanceof HeaderInvalidError) return error;
    throw error;
  }
  throw new Error('they were taken');
}

describe('checkHeaders', () => {
  it.each<PublishHeaders>([
    {},
    { tenant: 'acme', urgent: true, retries: 0, ratio: -0.5, empty: '' },
    { 'a name with spaces': 'ä 😀' },
    { large: Number.MAX_VALUE, small: Number.MIN_VALUE, most: Number.MAX_SAFE_INTEGER },
    { ['n'.repeat(100)]: 'v'.repeat(1_024) },
    Object.assign(Object.create(null), { tenant: 'acme' }),
  ])('takes %o', (headers) => {
    expect(() => check(headers)).not.toThrow();
  });

  it.each([
    'x-death',
    'x-first-death-queue',
    'x-delay',
    'X-Match',
    'x-',
    'CC',
    'cc',
    'BCC',
    'Bcc',
    'traceparent',
    'tracestate',
    'constructor',
    'prototype',
    ...Object.values(HEADERS),
  ])('reserves %s, even with a harmless value', (name) => {
    const error = refusal({ tenant: 'acme', [name]: 'x' });
    expect(error.header).toBe(name);
    expect(error.message).toContain('reserved');
  });

  it('reserves __proto__ where it is a header of its own', () => {
    expect(refusal(JSON.parse('{"__proto__": "x"}')).header).toBe('__proto__');
    expect(refusal(JSON.parse('{"__proto__": {"x-attempt": 0}}')).header).toBe('__proto__');
  });

  it.each([
    ['bigint', 10n],
    ['NaN', Number.NaN],
    ['infinity', Number.NEGATIVE_INFINITY],
    ['too small a number', -(2 ** 64)],
    ['undefined', undefined],
    ['null', null],
    ['a function', () => {}],
    ['a symbol', Symbol('s')],
    ['a date', new Date()],
    ['a map', new Map()],
    ['bytes', Buffer.from('x')],
    ['a list', ['a']],
    ['a list with a hole', [undefined]],
    ['a table', { a: 1 }],
    ['an unknown wire type', { '!': 'nope' }],
    ['a wire type with a wrong value', { '!': 'timestamp', value: 'x' }],
    ['a wire type out of range', { '!': 'int8', value: 9_999 }],
    ['a valid wire type', { '!': 'int8', value: 1 }],
    ['a boxed text', new String('x')],
    ['half a surrogate pair', '\ud83d'],
    ['a text beyond 1 KiB', 'v'.repeat(1_025)],
    ['a text beyond 1 KiB in bytes', '語'.repeat(342)],
  ])('refuses %s as a value, naming the header', (_, value) => {
    const error = refusal({ fine: 'x', tenant: value });
    expect(error.header).toBe('tenant');
    expect(error.code).toBe('HEADER_INVALID');
  });

  it.each([
    ['an empty one', ''],
    ['one beyond 100 bytes', 'n'.repeat(101)],
    ['one beyond 100 bytes in UTF-8', '語'.repeat(34)],
    ['one with half a surrogate pair', 'a\udc00'],
  ])('refuses %s as a name', (_, name) => {
    expect(refusal({ [name]: 'x' }).header).toBe(name);
  });

  it('refuses more than 30', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`h${at}`, at]));
    expect(() => check(many(30))).not.toThrow();
    expect(refusal(many(31)).message).toContain('at most 30, got 31');
  });

  it.each([null, 'text', 7, ['a'], new Map([['a', 1]]), new Set(['a']), new Headers({ a: 'b' })])(
    'refuses %o in place of a table',
    (headers) => {
      expect(refusal(headers).header).toBe('headers');
    },
  );

  it('either takes a table or names what is wrong: nothing else is ever thrown', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (headers) => {
        try {
          check(headers);
        } catch (error) {
          expect(error).toBeInstanceOf(HeaderInvalidError);
        }
      }),
    );
  });
});
