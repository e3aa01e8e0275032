import { newJobId } from '@warren/contracts';
import { expect, it } from 'vitest';
import { idempotencyKey } from './idempotency-key.ts';

it('is the id of the job', () => {
  const id = newJobId();
  expect(idempotencyKey(id)).toBe(id);
  expect(idempotencyKey('order-1/charge')).toBe('order-1/charge');
});

it.each(['a b', 'ä', 'a\r\nx: y', '', '\ud800', 'x'.repeat(256)])(
  'follows from an id that no header can hold: %j',
  (id) => {
    expect(idempotencyKey(id)).toMatch(/^[0-9a-f-]{36}$/);
    expect(idempotencyKey(id)).toBe(idempotencyKey(id));
    expect(idempotencyKey(id)).not.toBe(idempotencyKey(`${id}.`));
  },
);
