import { describe, expect, it } from 'vitest';
import { ChargeBook } from './charge-book.ts';

const request = { orderId: 'A-1', amount: 1999, currency: 'EUR', customer: 'cus_1' };

describe('the charges of the provider for development', () => {
  it('are made once for each key', () => {
    const book = new ChargeBook(10);
    const first = book.charge('job-1', request, 0);
    expect(first).toMatchObject({ status: 201, body: { id: 'dev_job-1', requests: 1 } });
    expect(book.charge('job-1', { ...request }, 9)).toMatchObject({
      status: 200,
      body: { id: 'dev_job-1', requests: 2, createdAt: '1970-01-01T00:00:00.000Z' },
    });
    expect(book.charge('job-2', request, 0).status).toBe(201);
    expect(book.list().map(({ id }) => id)).toEqual(['dev_job-2', 'dev_job-1']);
  });

  it('are not made for what is wrong', () => {
    const book = new ChargeBook(10);
    expect(book.charge(undefined, request, 0).status).toBe(400);
    for (const body of [undefined, null, 'x', {}, { ...request, amount: -1 }]) {
      expect(book.charge('job-1', body, 0)).toMatchObject({ body: { code: 'invalid_request' } });
    }
    book.charge('job-1', request, 0);
    expect(book.charge('job-1', { ...request, amount: 1 }, 0)).toEqual({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
    expect(book.list()).toHaveLength(1);
  });

  it('fail for two customers: always, and the first time', () => {
    const book = new ChargeBook(10);
    const declined = { ...request, customer: 'cus_declined' };
    const busy = { ...request, customer: 'cus_busy' };
    for (let count = 0; count < 2; count += 1) {
      expect(book.charge('job-1', declined, 0).status).toBe(402);
    }
    expect(book.charge('job-2', busy, 0)).toMatchObject({ status: 503, retryAfterSeconds: 1 });
    expect(book.charge('job-2', busy, 0).status).toBe(201);
  });

  it('are kept up to a number', () => {
    const book = new ChargeBook(2);
    for (const key of ['a', 'b', 'c']) book.charge(key, request, 0);
    expect(book.list().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['c', 'b']);
  });
});
