import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePayload, encodePayload } from './codec.ts';
import { MessageUnreadableError, PayloadInvalidError, PayloadTooLargeError } from './errors.ts';

const job = { type: 'a.b', maxPayloadBytes: 1_000 };
const encode = (payload: unknown) => encodePayload(job, payload).toString();
const decode = (text: string) => decodePayload(Buffer.from(text));

/** Where a payload is refused. */
function refusedPath(payload: unknown): string | undefined {
  try {
    encodePayload(job, payload);
  } catch (error) {
    if (error instanceof PayloadInvalidError) return error.issues[0]?.path;
    throw error;
  }
  return 'accepted';
}

function cyclic(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}

/** A chain of objects, each in the next one's field `a`. */
const nested = (depth: number, innermost: unknown) =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), innermost);

describe('encodePayload', () => {
  it('writes JSON and nothing around it', () => {
    expect(encode({ to: 'é', n: [1, null, true] })).toBe('{"to":"é","n":[1,null,true]}');
    for (const scalar of [null, 0, '', false]) expect(encode(scalar)).toBe(JSON.stringify(scalar));
  });

  it('leaves out undefined properties and writes dates as text', () => {
    expect(encode({ a: undefined, b: () => 1, c: new Date(0) })).toBe(
      '{"c":"1970-01-01T00:00:00.000Z"}',
    );
  });

  it.each<[string, unknown, string]>([
    ['NaN', { a: { b: NaN } }, 'a.b'],
    ['Infinity', [1, Infinity], '1'],
    ['-Infinity', -Infinity, ''],
    ['an invalid date', { at: new Date('no') }, 'at'],
    ['undefined in an array', { a: [1, undefined] }, 'a.1'],
    ['a hole in an array', { a: [Array(2)] }, 'a.0.0'],
    ['a function in an array', [() => 1], '0'],
    ['a Map', { a: new Map([['b', 1]]) }, 'a'],
    ['a Set', [new Set([1])], '0'],
    ['the first of several', { a: [NaN], b: NaN }, 'a.0'],
    ['NaN behind toJSON', { a: { toJSON: () => ({ b: NaN }) } }, 'a.b'],
    ['an own key __proto__', { a: JSON.parse('{"__proto__":{"x":1}}') }, 'a.__proto__'],
    ['a BigInt', { a: 1n }, ''],
    ['a cycle', cyclic(), ''],
    ['undefined', undefined, ''],
    ['a function', () => 1, ''],
    ['a symbol', Symbol('x'), ''],
    ['100,000 levels', nested(100_000, 1), ''],
    ['NaN on level 1,000', nested(1_000, NaN), Array(1_000).fill('a').join('.')],
  ])('refuses %s and says where', (_, payload, path) => {
    expect(refusedPath(payload)).toBe(path);
  });

  it('refuses a payload whose toJSON throws, whatever it throws', () => {
    const values: unknown[] = [undefined, null, 'x', new Error('x')];
    for (const thrown of values) {
      const payload = {
        toJSON() {
          throw thrown;
        },
      };
      expect(refusedPath(payload)).toBe('');
    }
  });

  it('reads only what toJSON gives', () => {
    const payload = { hidden: NaN, self: {}, toJSON: () => ({ a: null }) };
    payload.self = payload;
    expect(encode(payload)).toBe('{"a":null}');
  });

  it('takes texts that only look dangerous', () => {
    const payload = { a: '__proto__', b: 'null {}', c: {}, d: '\\u005f' };
    expect(JSON.parse(encode(payload))).toEqual(payload);
  });

  it('counts bytes, not characters, and allows exactly the limit', () => {
    expect(encodePayload(job, 'é'.repeat(499))).toHaveLength(1_000);
    expect(() => encodePayload(job, 'é'.repeat(500))).toThrow(PayloadTooLargeError);
    expect(() => encodePayload(job, 'é'.repeat(500))).toThrow(
      expect.objectContaining({ sizeBytes: 1_002, limitBytes: 1_000 }),
    );
  });

  it('looks through a wide array without running out of stack', () => {
    const wide = [...Array.from({ length: 300_000 }, () => null), NaN];
    expect(refusedPath(wide)).toBe('300000');
  });
});

describe('decodePayload', () => {
  it.each<[string, Buffer]>([
    ['an empty body', Buffer.alloc(0)],
    ['half an object', Buffer.from('{"a":')],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xff, 0xff])],
    ['a text with one bad byte', Buffer.from([0x22, 0x61, 0xff, 0x22])],
    ['compressed bytes', gzipSync('{"a":1}')],
    ['5 MB of [', Buffer.from('['.repeat(5_000_000))],
    ['a plain text', Buffer.from('hello')],
    ['two values', Buffer.from('{} {}')],
    ['NaN', Buffer.from('NaN')],
    ['a byte order mark', Buffer.from('\ufeff{}')],
  ])('refuses %s', (_, body) => {
    expect(() => decodePayload(body)).toThrow(MessageUnreadableError);
  });

  it.each([
    '{"__proto__":{"admin":true}}',
    '{"a":[{"__proto__":1}]}',
    '{"\\u005f_proto__":1}',
    '{"__\\u0070roto__":1}',
    '{"__p\\u0072oto__":1}',
    '{"__pr\\u006Fto__":1}',
    '{"__pro\\u0074o__":1}',
    '{"\\u005F\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":1}',
  ])('refuses the key __proto__ in %s', (text) => {
    expect(() => decode(text)).toThrow(/__proto__ is not allowed/);
  });

  it('takes __proto__ as a value', () => {
    expect(decode('{"a":"__proto__","b":"\\u005f"}')).toEqual({ a: '__proto__', b: '_' });
  });

  it('takes 100,000 levels: whether they make sense is up to the schema', () => {
    const text = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(Array.isArray(decode(text))).toBe(true);
    expect(Array.isArray(decode(text.replace('[]', '["__proto__"]')))).toBe(true);
  });

  it('never quotes the body', () => {
    for (const text of [
      'secret',
      '{"to":secret}',
      '{"to":"x",secret',
      '{"secret":1} x',
      ',secret',
    ]) {
      const refuse = () => decode(text);
      expect(refuse).toThrow(/^the body is not JSON: \w+/);
      expect(refuse).not.toThrow(/secret/);
      expect(refuse).not.toThrow(expect.objectContaining({ cause: expect.anything() }));
    }
  });

  it.each([undefined, '', 'utf-8', 'UTF-8', 'utf8', 'identity'])(
    'reads content encoding %j',
    (encoding) => {
      expect(decodePayload(Buffer.from('1'), encoding)).toBe(1);
    },
  );

  it.each(['gzip', 'utf-16', null, 5, {}, 'x'.repeat(1_000)])(
    'refuses content encoding %j',
    (encoding) => {
      expect(() => decodePayload(Buffer.from('1'), encoding)).toThrow(/is not supported$/);
    },
  );
});

describe('a round trip', () => {
  const big = { ...job, maxPayloadBytes: 10_000_000 };

  it('keeps every JSON value, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(decodePayload(encodePayload(big, value))).toEqual(JSON.parse(text));
      }),
    );
    expect(decode(encode('a\ud800b'))).toBe('a\ud800b');
  });

  it('keeps any value as JSON has it, or refuses it with an error of its own', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }),
        (value) => {
          try {
            const body = encodePayload(big, value);
            expect(decodePayload(body)).toEqual(JSON.parse(body.toString()));
          } catch (error) {
            expect(error).toBeInstanceOf(PayloadInvalidError);
          }
        },
      ),
    );
  });

  it('decodes any bytes or refuses them with an error of its own', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          expect(decodePayload(Buffer.from(bytes))).toBeDefined();
        } catch (error) {
          expect(error).toBeInstanceOf(MessageUnreadableError);
        }
      }),
    );
  });
});
