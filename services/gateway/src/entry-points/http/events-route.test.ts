import { afterEach, describe, expect, it } from 'vitest';
import { postJob } from '../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../fixtures/running-app.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const ORDER = { type: 'order.placed', payload: { orderId: 'A-1', total: 1999, currency: 'EUR' } };

let app: RunningApp;
afterEach(() => app.stop());

const post = (body: unknown, headers = {}) => postJob(app.url, body, headers, '/v1/events');

describe('an event', () => {
  it('is answered 202 with its id and type', async () => {
    app = await runApp();
    const { status, headers, body } = await post({ ...ORDER, id: ID });
    expect(status).toBe(202);
    expect(body).toEqual({ id: ID, type: 'order.placed' });
    expect(headers.get('location')).toBeNull();
  });

  it('is handed on with its options, and with the request id as correlation id', async () => {
    app = await runApp();
    await post({ ...ORDER, id: ID, headers: { a: 1 }, expiresIn: '1h' }, { 'x-request-id': 'r-1' });
    expect(app.accepted).toEqual([
      { ...ORDER, id: ID, headers: { a: 1 }, expiresIn: '1h', correlationId: 'r-1' },
    ]);
  });

  it('gets a fresh id where none is given', async () => {
    app = await runApp();
    const { body } = await post(ORDER);
    expect(body.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(app.accepted[0]?.id).toBe(body.id);
  });

  it.each([
    ['delay', { ...ORDER, delay: '5m' }],
    ['runAt', { ...ORDER, runAt: '2026-01-01T00:00:00Z' }],
    ['idempotencyKey', { ...ORDER, idempotencyKey: 'a' }],
    ['expiresIn', { ...ORDER, expiresIn: 5 }],
    ['headers.x-attempt', { ...ORDER, headers: { 'x-attempt': 1 } }],
    ['payload', { type: 'order.placed' }],
    ['type', { payload: {} }],
  ])('is refused for %s', async (field, body) => {
    app = await runApp();
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map((error) => error.field)).toEqual([field]);
    expect(app.accepted).toEqual([]);
  });
});
