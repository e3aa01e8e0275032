import { HeaderInvalidError } from '@warren/contracts';
import type { ConsumeMessage } from 'amqplib';
import { describe, expect, it } from 'vitest';
import { exactCopy } from './exact-copy.ts';

const none = {
  contentType: undefined,
  contentEncoding: undefined,
  headers: undefined,
  deliveryMode: undefined,
  priority: undefined,
  correlationId: undefined,
  replyTo: undefined,
  expiration: undefined,
  messageId: undefined,
  timestamp: undefined,
  type: undefined,
  userId: undefined,
  appId: undefined,
  clusterId: undefined,
};

function original(
  properties: Partial<ConsumeMessage['properties']>,
  content = Buffer.from([0xff, 0, 0xfe]),
): ConsumeMessage {
  const fields = {
    consumerTag: 'c',
    deliveryTag: 1,
    redelivered: true,
    exchange: 'jobs.dead',
    routingKey: 'email.send',
  };
  return { content, fields, properties: { ...none, ...properties } };
}

const death = {
  count: 2,
  reason: 'delivery_limit',
  queue: 'email.send',
  time: { '!': 'timestamp', value: 1_700_000_000 },
  exchange: 'jobs.due',
  'routing-keys': ['email.send'],
};

describe('an exact copy', () => {
  it('has the bytes, the routing key, and all properties but the user', () => {
    const properties = {
      contentType: 'application/x-odd',
      contentEncoding: 'gzip',
      deliveryMode: 1,
      priority: 3,
      correlationId: 'c',
      replyTo: 'q',
      expiration: '60000',
      messageId: 'm',
      timestamp: 5,
      type: 't',
      appId: 'a',
    };
    const copy = exactCopy(original({ ...properties, userId: 'somebody' }), 'holding');
    expect(copy).toMatchObject({ exchange: 'holding', routingKey: 'email.send' });
    expect(copy.body).toEqual(Buffer.from([0xff, 0, 0xfe]));
    expect(copy.properties).toEqual({ ...properties, headers: undefined, mandatory: true });
    expect(copy.properties).not.toHaveProperty('userId');
  });

  it('gives no id to a message without one, and no headers', () => {
    const { properties } = exactCopy(original({}), 'holding');
    expect(properties.messageId).toBeUndefined();
    expect(properties.headers).toBeUndefined();
  });

  it('has all headers, the broker’s too, but its counts of deliveries', () => {
    const headers: Record<string, unknown> = {
      'x-death': [death],
      'x-first-death-reason': 'delivery_limit',
      'x-error': 'attempt 1: Error: no',
      CC: ['elsewhere'],
      tenant: null,
      raw: Buffer.from([0xff]),
      price: { '!': 'decimal', value: { places: 2, digits: 100 } },
      nested: { list: [1, { a: true }] },
    };
    const counted = { ...headers, 'x-delivery-count': 7, 'x-acquired-count': 9 };
    expect(exactCopy(original({ headers: counted }), 'h').properties.headers).toEqual(headers);
  });

  it('leaves the original as it is', () => {
    const message = original({ headers: { 'x-delivery-count': 7, a: 1 } });
    exactCopy(message, 'h');
    expect(message.properties.headers).toEqual({ 'x-delivery-count': 7, a: 1 });
  });

  it.each([
    ['!', { odd: { '!': 'timestamp', value: 1, more: 2 } }],
    ['!', { odd: [{ '!': 'own', value: 1 }] }],
    ['__proto__', Object.create({ inherited: 1 }) as Record<string, unknown>],
    ['__proto__', { odd: { deep: Object.create({ inherited: 1 }) as unknown } }],
  ])('refuses what the client would write otherwise than it was: %s', (name, headers) => {
    expect(() => exactCopy(original({ headers }), 'h')).toThrow(HeaderInvalidError);
    expect(() => exactCopy(original({ headers }), 'h')).toThrow(JSON.stringify(name).slice(1, -1));
  });
});
