import { HEADERS } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foreignHeaders, portableHeaders } from './foreign-headers.ts';

const BROKER_OWNED = [
  'x-death',
  'X-Death',
  'x-first-death-queue',
  'x-first-death-reason',
  'x-last-death-exchange',
  'x-delivery-count',
  'x-acquired-count',
  'x-stream-offset',
  'x-opt-deaths',
  'CC',
  'cc',
  'BCC',
];
const OURS = Object.values(HEADERS);

describe('foreignHeaders', () => {
  it.each([...BROKER_OWNED, ...OURS])('leaves %s out', (name) => {
    expect(foreignHeaders({ [name]: 'x', tenant: 't' })).toEqual({ tenant: 't' });
  });

  it.each(['tenant', 'tracestate', 'x-tenant', 'x-deaths', 'ccs', 'my-x-death'])(
    'keeps %s',
    (name) => {
      expect(foreignHeaders({ [name]: 7 })).toEqual({ [name]: 7 });
    },
  );

  it('takes own headers only', () => {
    expect(foreignHeaders(Object.create({ tenant: 'spoofed' }))).toEqual({});
    expect(foreignHeaders(undefined)).toEqual({});
  });
});

describe('portableHeaders', () => {
  it('keeps what fits, in order', () => {
    const headers = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`h${at}`, at]));
    expect(Object.keys(portableHeaders(headers))).toEqual(Object.keys(headers).slice(0, 50));
    const large = { small: 'a', large: 'b'.repeat(20_000), later: 'c' };
    expect(portableHeaders(large)).toEqual({ small: 'a' });
  });

  it('counts bytes, not characters', () => {
    expect(portableHeaders({ text: '語'.repeat(5_000) })).toEqual({ text: '語'.repeat(5_000) });
    expect(portableHeaders({ text: '語'.repeat(6_000) })).toEqual({});
    expect(portableHeaders({ ['語'.repeat(6_000)]: 1 })).toEqual({});
  });

  it('leaves out what has no end or no JSON form', () => {
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    expect(portableHeaders({ circular })).toEqual({});
    expect(portableHeaders({ big: 10n })).toEqual({});
  });

  it('never holds more than 16 KiB nor a header of the kit or the broker', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom(...BROKER_OWNED, ...OURS));
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 9_000 }),
      fc.integer(),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.dictionary(name, value), (headers) => {
        const kept = portableHeaders(headers);
        expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(16_384 + 50 * 4);
        for (const reserved of [...BROKER_OWNED, ...OURS]) {
          expect(Object.hasOwn(kept, reserved)).toBe(false);
        }
        for (const key of Object.keys(kept)) expect(kept[key]).toBe(headers[key]);
      }),
    );
  });
});
