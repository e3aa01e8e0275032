import { foreignHeaders } from '@warren/broker';
import { delivered } from '@warren/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDeadLetter } from './dead-letter.ts';
import { deadLetterMessage, letterRecord, parseLetterRecord } from './letter-record.ts';

const headers = {
  'x-attempt': 3,
  'x-error': 'attempt 3: Error: x',
  'x-death': [{ reason: 'delivery_limit', time: { '!': 'timestamp', value: 9 } }],
  'x-delivery-count': 7,
  tenant: 't',
};
const letter = (content: Buffer | string) => {
  const properties = { messageId: 'j', type: 'a.b', correlationId: 'c', headers };
  const { message } = delivered(properties, { body: Buffer.from(content) });
  return { ...message, fields: { ...message.fields, routingKey: 'ns.a.b' } };
};
const record = (body: Buffer | string) => letterRecord(letter(body), 'a.b.dead');
const line = (body: Buffer | string) => JSON.stringify(record(body));

describe('an exported dead letter', () => {
  it('is there again after an import, whatever its bytes are', () => {
    const json = fc.json().map((text) => Buffer.from(text));
    const bytes = fc.uint8Array().map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.oneof(json, bytes), (body) => {
        const message = deadLetterMessage(parseLetterRecord(line(body)), {
          exchange: '',
          routingKey: 'ns.a.b.dead',
        });
        expect(message.body.equals(body)).toBe(true);
        expect(message).toMatchObject({
          exchange: '',
          routingKey: 'ns.a.b.dead',
          properties: { messageId: 'j', type: 'a.b', correlationId: 'c', mandatory: true },
        });
        const { headers: kept } = message.properties;
        expect(kept).toEqual({
          'x-attempt': 3,
          'x-error': 'attempt 3: Error: x',
          'x-dead-reason': 'delivery_limit',
          'x-dead-at': 9_000,
          tenant: 't',
        });
      }),
    );
  });

  it('is readable where it can be', () => {
    expect(record('{"a":1}')).toMatchObject({ payload: { a: 1 } });
    expect(record('{"a": 1}')).toMatchObject({ bodyBase64: 'eyJhIjogMX0=' });
    expect(readDeadLetter(letter('1'), 1).reason).toBe('delivery_limit');
  });
});

describe('the headers of an exported dead letter', () => {
  const after = (own: Record<string, unknown>) => {
    const { message } = delivered({ messageId: 'j', headers: own });
    const fields = { ...message.fields, routingKey: 'ns.a.b' };
    const exported = letterRecord({ ...message, fields }, 'a.b.dead');
    const read = parseLetterRecord(JSON.stringify(exported));
    const to = { exchange: '', routingKey: 'a.b.dead' };
    return { exported, headers: deadLetterMessage(read, to).properties.headers };
  };

  it('are there again after an import, tables, lists and bytes too', () => {
    const own = {
      text: 'ü',
      number: 1.5,
      yes: true,
      nothing: null,
      list: [1, 'two', [3, { deep: [null] }]],
      table: { a: { b: [Buffer.from([0, 255])] }, value: 'base64' },
      bytes: Buffer.from([0xff, 0, 0xfe]),
      when: { '!': 'timestamp', value: 1_700_000_000 },
      price: { '!': 'decimal', value: { places: 2, digits: 4_294_967_295 } },
      empty: {},
    };
    const { exported, headers: kept } = after(own);
    expect(kept).toEqual(own);
    expect(exported).not.toHaveProperty('notKept');
    expect(exported.headers['list']).toEqual(own.list);
    expect(exported.headers['bytes']).toEqual({ '!': 'base64', value: '/wD+' });
  });

  it('are there again, whatever they are, or named as not kept', () => {
    const names = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__');
    fc.assert(
      fc.property(fc.dictionary(names, fc.anything(), { noNullPrototype: true }), (own) => {
        const { exported, headers: kept } = after(own);
        const told = [...Object.keys(kept ?? {}), ...(exported.notKept ?? [])];
        expect(told.toSorted()).toEqual(Object.keys(foreignHeaders(own)).toSorted());
        for (const name of Object.keys(kept ?? {})) {
          // A zero has no sign, neither here nor where the client writes it.
          const whole: unknown = JSON.parse(JSON.stringify(own[name]));
          expect(kept?.[name]).toEqual(whole);
        }
      }),
    );
  });

  it.each([
    ['a table with the name "!"', { '!': 'nope' }],
    ['one that looks like our bytes', { '!': 'base64', value: 'AA==' }],
    ['a table with the name "__proto__"', [Object.create({ a: 1 })]],
    ['no number', { deep: Number.NaN }],
    ['a time that is none', { '!': 'timestamp', value: -1 }],
    ['a decimal that is none', { '!': 'decimal', value: { places: 256, digits: 1 } }],
    ['tables without end', Array.from({ length: 40 }).reduce((inner) => ({ inner }), {})],
  ])('are named where no line can hold them: %s', (_, odd) => {
    const { exported, headers: kept } = after({ odd, tenant: 't' });
    expect(exported.notKept).toEqual(['odd']);
    expect(kept).toEqual({ tenant: 't' });
  });
});

it('names a table with the name "__proto__" among the headers as not kept', () => {
  const { message } = delivered({ messageId: 'j', headers: { tenant: 't' } });
  // So the client reads it.
  Object.setPrototypeOf(message.properties.headers, { a: 1 });
  const { headers: kept, notKept } = letterRecord(message, 'a.b.dead');
  expect({ kept, notKept }).toEqual({ kept: { tenant: 't' }, notKept: ['__proto__'] });
});

describe('a line that is none', () => {
  const altered = (change: object) => JSON.stringify({ ...record('1'), ...change });
  it.each([
    ['', 'not JSON'],
    ['null', 'no dead letter'],
    ['[1]', 'no dead letter'],
    [altered({ format: 'x' }), 'no dead letter'],
    [altered({ redacted: true }), '--show-pii'],
    [altered({ queue: 7 }), '"queue"'],
    [altered({ headers: null }), '"headers"'],
    [altered({ headers: { a: { '!': 'nope', value: 1 } } }), '"a" has a wrong value'],
    [altered({ headers: { a: [{ '!': 'base64', value: '%' }] } }), '"a" has a wrong value'],
    [altered({ headers: JSON.parse('{"__proto__":{"a":1}}') }), '"__proto__" has a wrong value'],
    [altered({ headers: { a: JSON.parse('[{"__proto__":{}}]') } }), '"a" has a wrong value'],
    [altered({ properties: { type: [1] } }), '"type" has a wrong value'],
    [altered({ bodyBase64: 'AA==' }), 'either'],
    [altered({ payload: undefined }), 'either'],
    [altered({ payload: undefined, bodyBase64: '%' }), 'not base64'],
  ])('%s is refused', (text, problem) => {
    expect(() => parseLetterRecord(text)).toThrow(problem);
  });

  it('never gives anything else', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(() => parseLetterRecord(text)).toThrow(Error);
      }),
    );
  });
});
