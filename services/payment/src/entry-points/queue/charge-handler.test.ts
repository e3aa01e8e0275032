import { expect, it } from 'vitest';
import { quietLogger } from '../../fixtures/quiet-logger.ts';
import { chargeHandler } from './charge-handler.ts';

const payload = { orderId: 'A-1', amount: 1999, currency: 'EUR', customer: 'cus_1' };
const charged = { chargeId: 'ch_1', orderId: 'A-1', amount: 1999, currency: 'EUR' };

it('asks under the id of the job, and returns the charge', async () => {
  const asked: unknown[] = [];
  const handler = chargeHandler(async (...[request, key]) => {
    asked.push(request, key);
    return charged;
  });
  const context = { signal: new AbortController().signal, log: quietLogger };
  expect(await handler({ id: 'job-1', payload }, context)).toEqual(charged);
  expect(asked).toEqual([payload, 'job-1']);
});

it('asks for nothing once it should stop', async () => {
  const handler = chargeHandler(() => Promise.reject(new Error('asked')));
  const reason = new Error('the claim is lost');
  const context = { signal: AbortSignal.abort(reason), log: quietLogger };
  await expect(handler({ id: 'job-1', payload }, context)).rejects.toBe(reason);
});
