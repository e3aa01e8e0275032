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
    [altered({ headers: { a: [1] } }), '"a" has a wrong value'],
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
