import { delivered, type ReceivedProperties } from '@warren/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDeadLetter } from './dead-letter.ts';

function read(properties: ReceivedProperties) {
  return readDeadLetter(delivered(properties).message, 3);
}
const withHeaders = (headers: Record<string, unknown>) => read({ headers });

describe('readDeadLetter', () => {
  it('reads what the kit writes', () => {
    const headers = { 'x-dead-reason': 'poison', 'x-origin': 'a.b.suspect', 'x-error': 'Error: x' };
    expect(read({ messageId: 'job-1', headers })).toMatchObject({
      position: 3,
      id: 'job-1',
      reason: 'poison',
      origin: 'a.b.suspect',
      error: 'Error: x',
      attempt: 1,
    });
  });

  it.each([
    ['rejected', 'unencodable'],
    ['delivery_limit', 'delivery_limit'],
    [7, undefined],
  ])('says why the broker moved it: %j', (reason, expected) => {
    expect(withHeaders({ 'x-death': [{ reason }, { reason: 'expired' }] }).reason).toBe(expected);
  });

  it('says when it died: by the worker, by the broker, or as far as is known', () => {
    expect(withHeaders({ 'x-dead-at': 7_000 }).deadAtMs).toBe(7_000);
    const time = { '!': 'timestamp', value: 9 };
    expect(withHeaders({ 'x-death': [{ reason: 'expired', time }] }).deadAtMs).toBe(9_000);
    expect(withHeaders({ 'x-dead-at': 'x', 'x-published-at': 5_000 }).deadAtMs).toBe(5_000);
  });

  it('never fails, whatever the headers hold', () => {
    const name = fc.constantFrom('x-death', 'x-dead-reason', 'x-origin', 'x-error', 'x-dead-at');
    fc.assert(
      fc.property(fc.dictionary(name, fc.anything()), (headers) => {
        const { reason, origin, error } = withHeaders(headers);
        for (const text of [reason, origin, error]) {
          expect(text === undefined || typeof text === 'string').toBe(true);
        }
      }),
    );
  });

  it('takes own headers only', () => {
    const spoofed = Object.create({ 'x-dead-reason': 'poison', 'x-origin': 'jobs' }) as object;
    expect(read({ headers: spoofed })).toMatchObject({ reason: undefined, origin: undefined });
  });
});
