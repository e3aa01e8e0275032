import { validatePayload } from '@warren/contracts';
import { expect, it } from 'vitest';
import { catalog, events, orderPlaced } from './index.ts';

const order = { orderId: 'A-1', total: 1999, currency: 'EUR' };

it('is an event of this installation, under a name that no job type has', () => {
  expect(events).toContain(orderPlaced);
  const names = [...events, ...catalog].map(({ type }) => type);
  expect(new Set(names).size).toBe(names.length);
});

it('takes an order', () => {
  expect(validatePayload(orderPlaced, order)).toEqual(order);
});

it.each<[string, object]>([
  ['orderId', { ...order, orderId: '' }],
  ['total', { ...order, total: 19.99 }],
  ['total', { ...order, total: -1 }],
  ['currency', { ...order, currency: 'eur' }],
  ['customer', { ...order, customer: 'Ada' }],
])('refuses a wrong %s: %j', (field, payload) => {
  expect(() => validatePayload(orderPlaced, payload)).toThrow(
    new RegExp(`^order.placed: ${field}`),
  );
});
