import { HEADERS, newJobId, timeOfJobId } from '@warren/contracts';
import { delivered, type ReceivedProperties } from '@warren/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previousErrorOf, readMessage } from './received-message.ts';

const read = (properties: ReceivedProperties) => readMessage(delivered(properties));
const withHeader = (name: string, value: unknown) => read({ headers: { [name]: value } });

describe('readMessage', () => {
  it('takes a message that says nothing for a first attempt', () => {
    const nothing = {
      id: undefined,
      type: undefined,
      attempt: 1,
      generation: 0,
      snoozes: 0,
      payloadVersion: 1,
      publishedAtMs: undefined,
      notBeforeMs: undefined,
      expiresAtMs: undefined,
      correlationId: undefined,
      replayOf: undefined,
      returns: 0,
    };
    expect(read({})).toEqual(nothing);
    expect(read({ headers: {} })).toEqual(nothing);
  });

  it('reads what the kit writes', () => {
    const headers = {
      [HEADERS.attempt]: 3,
      [HEADERS.generation]: 2,
      [HEADERS.snoozes]: 4,
      [HEADERS.payloadVersion]: 5,
      [HEADERS.publishedAt]: 1_700_000_000_001,
      [HEADERS.notBefore]: 1_700_000_000_002,
      [HEADERS.expiresAt]: 1_700_000_000_003,
      [HEADERS.replayOf]: 'job-0',
    };
    expect(read({ messageId: 'job-1', correlationId: 'order-1', headers })).toEqual({
      id: 'job-1',
      type: undefined,
      attempt: 3,
      generation: 2,
      snoozes: 4,
      payloadVersion: 5,
      publishedAtMs: 1_700_000_000_001,
      notBeforeMs: 1_700_000_000_002,
      expiresAtMs: 1_700_000_000_003,
      correlationId: 'order-1',
      replayOf: 'job-0',
      returns: 0,
    });
  });

  it.each([0, -1, 1.5, 1_000_001, '3', true, null, Number.NaN, [3], { '!': 'int8', value: 3 }])(
    'takes an attempt of %j for none',
    (value) => {
      expect(withHeader(HEADERS.attempt, value).attempt).toBe(1);
    },
  );

  it.each([0, -1, '1700000000000', Number.NaN, Number.POSITIVE_INFINITY, null, {}])(
    'takes a time of %j for none',
    (value) => {
      expect(withHeader(HEADERS.publishedAt, value).publishedAtMs).toBeUndefined();
      expect(withHeader(HEADERS.notBefore, value).notBeforeMs).toBeUndefined();
      expect(withHeader(HEADERS.expiresAt, value).expiresAtMs).toBeUndefined();
    },
  );

  it('reads own headers only: a table named __proto__ becomes the prototype of the others', () => {
    const spoofed = {
      [HEADERS.attempt]: 9,
      [HEADERS.generation]: 9,
      [HEADERS.snoozes]: 9,
      [HEADERS.publishedAt]: 1,
      [HEADERS.notBefore]: 9e12,
      [HEADERS.expiresAt]: 1,
      [HEADERS.error]: 'spoofed',
      'x-delivery-count': 9,
    };
    const delivery = delivered({ headers: Object.create(spoofed) }, { redelivered: true });
    expect(readMessage(delivery)).toEqual(read({}));
    expect(previousErrorOf(delivery)).toBeUndefined();
  });

  it('never fails, whatever the headers hold, and gives each value its kind', () => {
    const headers = fc.dictionary(
      fc.constantFrom(...Object.values(HEADERS), 'x-delivery-count'),
      fc.anything({ withBigInt: true, withDate: true }),
    );
    fc.assert(
      fc.property(headers, fc.anything(), fc.anything(), (table, messageId, timestamp) => {
        const delivery = delivered({ headers: table, messageId, timestamp }, { redelivered: true });
        const { id, attempt, generation, snoozes, returns, ...times } = readMessage(delivery);
        expect(id === undefined || typeof id === 'string').toBe(true);
        expect(attempt).toBeGreaterThanOrEqual(1);
        for (const count of [attempt, generation, snoozes, returns]) {
          expect(Number.isInteger(count) && count >= 0).toBe(true);
        }
        for (const time of [times.publishedAtMs, times.notBeforeMs, times.expiresAtMs]) {
          expect(time === undefined || (Number.isFinite(time) && time > 0)).toBe(true);
        }
      }),
    );
  });

  describe('when it was published', () => {
    const id = newJobId();

    it('believes the header first, then a UUIDv7, then the timestamp', () => {
      const headers = { [HEADERS.publishedAt]: 1_700_000_000_001 };
      const timestamp = 1_600_000_000;
      expect(read({ messageId: id, timestamp, headers }).publishedAtMs).toBe(1_700_000_000_001);
      expect(read({ messageId: id, timestamp }).publishedAtMs).toBe(timeOfJobId(id));
      expect(read({ messageId: 'order-1', timestamp }).publishedAtMs).toBe(1_600_000_000_000);
    });

    it.each([
      [1_600_000_000, 1_600_000_000_000],
      [1_600_000_000_123, 1_600_000_000_123],
      [0, undefined],
      [-5, undefined],
      ['1600000000', undefined],
    ])('reads a timestamp of %j', (timestamp, expected) => {
      expect(read({ timestamp }).publishedAtMs).toBe(expected);
    });
  });

  it('counts returns only of what the broker delivers again', () => {
    const headers = { 'x-delivery-count': 5 };
    expect(readMessage(delivered({ headers })).returns).toBe(0);
    expect(readMessage(delivered({ headers }, { redelivered: true })).returns).toBe(5);
    expect(readMessage(delivered({}, { redelivered: true })).returns).toBe(0);
  });

  it('takes for the id of an earlier dead letter only what can be one', () => {
    expect(withHeader(HEADERS.replayOf, 'é'.repeat(127)).replayOf).toBe('é'.repeat(127));
    expect(withHeader(HEADERS.replayOf, 'é'.repeat(128)).replayOf).toBeUndefined();
    expect(withHeader(HEADERS.replayOf, 7).replayOf).toBeUndefined();
  });

  it('takes for a span only what can be one', () => {
    const span = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    for (const name of ['traceparent', 'previousSpan'] as const) {
      expect(withHeader(HEADERS[name], span)[name]).toBe(span);
      for (const value of [`${span}x`, '00-1', 7, null]) {
        expect(withHeader(HEADERS[name], value)[name]).toBeUndefined();
      }
    }
  });

  it.each(['', 7, null, {}])('takes a messageId of %j for none', (messageId) => {
    expect(read({ messageId }).id).toBeUndefined();
  });
});

describe('previousErrorOf', () => {
  it.each([
    ['Error: x', 'Error: x'],
    ['', undefined],
    [7, undefined],
    [{ a: 1 }, undefined],
  ])('reads %j as %j', (value, expected) => {
    expect(previousErrorOf(delivered({ headers: { [HEADERS.error]: value } }))).toBe(expected);
  });
});
