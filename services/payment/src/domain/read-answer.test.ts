import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaymentError } from './payment-error.ts';
import { type Answer, readAnswer } from './read-answer.ts';

const request = { orderId: 'A-1', amount: 1999, currency: 'EUR', customer: 'cus_1' };

function read(status: number, answer: Partial<Answer> = {}): unknown {
  try {
    return readAnswer({ status, retryAfter: undefined, body: undefined, ...answer }, request, 0);
  } catch (error) {
    return error;
  }
}

describe('an answer', () => {
  it.each([200, 201])('of %i is a charge, without the customer', (status) => {
    const charged = { chargeId: 'ch_1', orderId: 'A-1', amount: 1999, currency: 'EUR' };
    expect(read(status, { body: { id: 'ch_1', customer: 'cus_1' } })).toEqual(charged);
    expect(read(status, { body: { id: 'ch_1', amount: 1999, currency: 'EUR' } })).toEqual(charged);
  });

  it.each([undefined, null, 'ch_1', [], {}, { id: 7 }, { id: '' }, { id: 'a\nb' }])(
    'that names no charge (%j) leaves it unknown',
    (body) => {
      expect(read(200, { body })).toBeInstanceOf(PaymentError);
    },
  );

  it.each([{ amount: 2000 }, { amount: '1999' }, { currency: 'USD' }])(
    'that tells of another charge (%j) is not taken for this one',
    (said) => {
      const error = read(200, { body: { id: 'ch_1', ...said } });
      expect(error).toBeInstanceOf(NonRetryableError);
      expect((error as Error).message).toContain(`charged another ${Object.keys(said)[0]}`);
    },
  );

  it.each([402, 422])('of %i declines for good, with the provider’s code', (status) => {
    const error = read(status, { body: { code: 'card_declined', message: 'Ada has no money' } });
    expect(error).toBeInstanceOf(NonRetryableError);
    expect((error as Error).message).toBe(
      `payment: declined: the provider answered ${status} (card_declined)`,
    );
  });

  it.each([400, 404, 405, 410])('of %i refuses for good', (status) => {
    expect(read(status, { retryAfter: '5' })).toBeInstanceOf(NonRetryableError);
  });

  it.each<[number, string | undefined, number]>([
    [409, undefined, 2_000],
    [409, '7', 7_000],
    [429, '3', 3_000],
    [503, '3', 3_000],
    [503, '999999', 3_600_000],
  ])('of %i with Retry-After %s waits for %i ms', (status, retryAfter, delayMs) => {
    const error = read(status, { retryAfter });
    expect(error).toBeInstanceOf(RetryAfterError);
    expect(error).toMatchObject({ delayMs });
  });

  it.each([202, 204, 302, 401, 403, 408, 425, 429, 500, 502, 503])(
    'of %i is asked for again by the backoff',
    (status) => {
      expect(read(status)).toBeInstanceOf(PaymentError);
    },
  );

  it('never says what the provider wrote, but for a word', () => {
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), fc.string(), (status, code) => {
        const { message } = read(status, { body: { code, message: code } }) as Error;
        const word = /^[a-z][a-z0-9_.-]{0,59}$/.test(code) ? code : undefined;
        expect(message.endsWith(`answered ${status}${word ? ` (${word})` : ''}`)).toBe(
          !message.endsWith('named a time'),
        );
      }),
    );
  });
});
