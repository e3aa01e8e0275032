import { redactPayload, validatePayload } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { chargePayment } from './index.ts';

const payload = { orderId: 'A-1001', amount: 1999, currency: 'EUR', customer: 'cus_4711' };

describe('payment.charge', () => {
  it('runs once', () => {
    expect(chargePayment.once).toBe(true);
  });

  it.each<[string, object]>([
    ['orderId', { ...payload, orderId: '' }],
    ['amount', { ...payload, amount: 0 }],
    ['amount', { ...payload, amount: -5 }],
    ['amount', { ...payload, amount: 19.99 }],
    ['amount', { ...payload, amount: '1999' }],
    ['amount', { ...payload, amount: 2 ** 53 }],
    ['currency', { ...payload, currency: 'eur' }],
    ['customer', { ...payload, customer: '' }],
    ['card', { ...payload, card: '4242' }],
  ])('refuses a wrong %s: %j', (field, wrong) => {
    expect(validatePayload(chargePayment, payload)).toEqual(payload);
    expect(() => validatePayload(chargePayment, wrong)).toThrow(
      new RegExp(`^payment\\.charge: ${field}: `),
    );
  });

  it('keeps the customer out of logs', () => {
    expect(redactPayload(payload, chargePayment.piiPaths)).toEqual({
      ...payload,
      customer: '[redacted]',
    });
  });
});
