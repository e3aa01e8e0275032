import { redactPayload, validatePayload } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { deliverWebhook } from './index.ts';

const payload = {
  url: 'https://example.org/hooks?token=x',
  eventType: 'order.placed',
  data: { orderId: 'A-1', nested: [{ deep: null }] },
};

describe('webhook.deliver', () => {
  it('takes an endpoint, an event and its data, and where wanted an id and the name of a secret', () => {
    for (const taken of [payload, { ...payload, id: 'msg_1-a', secret: 'acme.2' }]) {
      expect(validatePayload(deliverWebhook, taken)).toEqual(taken);
    }
  });

  it.each<[string, object]>([
    ['url', { ...payload, url: 'example.org' }],
    ['url', { ...payload, url: 'ftp://example.org' }],
    ['url', { ...payload, url: 'https://ada:secret@example.org' }],
    ['eventType', { ...payload, eventType: '' }],
    ['eventType', { ...payload, eventType: 'order..placed' }],
    ['eventType', { ...payload, eventType: 'order\r\nx: y' }],
    ['data', { ...payload, data: 'text' }],
    ['data', { url: payload.url, eventType: payload.eventType }],
    // A dot would let two messages have one signature.
    ['id', { ...payload, id: 'a.b' }],
    ['id', { ...payload, id: '' }],
    ['secret', { ...payload, secret: 'Acme' }],
    ['secret', { ...payload, secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0' }],
    ['headers', { ...payload, headers: {} }],
  ])('refuses a wrong %s: %j', (field, wrong) => {
    expect(() => validatePayload(deliverWebhook, wrong)).toThrow(
      new RegExp(`^webhook\\.deliver: ${field}: `),
    );
  });

  it('says of a secret that it has no place there, without repeating it', () => {
    const wrong = { ...payload, secret: 'whsec_abc' };
    expect(() => validatePayload(deliverWebhook, wrong)).toThrow(/not the secret$/);
  });

  it('keeps endpoint and data out of logs', () => {
    expect(redactPayload({ ...payload, id: 'msg_1' }, deliverWebhook.piiPaths)).toEqual({
      url: '[redacted]',
      eventType: 'order.placed',
      data: '[redacted]',
      id: 'msg_1',
    });
  });
});
