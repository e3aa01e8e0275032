import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { signatureHeaders } from './sign.ts';

const KEY = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const keyOf = (base64: string) => Buffer.from(base64, 'base64');

it('signs as the published test vector says', () => {
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    atMs: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  };
  expect(signatureHeaders(message, [keyOf(KEY)])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it("is verified by the standard's own library with each of its keys, and with no other", () => {
  const keys = [Buffer.alloc(24, 1), Buffer.alloc(64, 2)];
  const body = JSON.stringify({ type: 'order.placed', data: { name: 'Zoë 🐇' } });
  const headers = { ...signatureHeaders({ id: 'job-1', atMs: Date.now(), body }, keys) };
  const verify = (key: Buffer, text = body) =>
    new Webhook(`whsec_${key.toString('base64')}`).verify(text, headers);
  for (const key of keys) expect(verify(key)).toEqual(JSON.parse(body));
  expect(() => verify(Buffer.alloc(24, 3))).toThrow('No matching signature found');
  expect(() => verify(Buffer.alloc(24, 1), body.replace('order', 'Order'))).toThrow(
    'No matching signature found',
  );
});
