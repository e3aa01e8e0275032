import { describe, expect, it } from 'vitest';
import { destinationOf, furtherAttributes, samplingAttributes } from './messaging-attributes.ts';

const nothing = { id: undefined, jobType: undefined, correlationId: undefined };

describe('a destination', () => {
  it.each([
    ['to an exchange', { exchange: 'jobs', routingKey: 'email.send' }, 'jobs:email.send'],
    ['to an exchange without a key', { exchange: 'jobs', routingKey: '' }, 'jobs'],
    ['by the default exchange', { exchange: '', routingKey: 'email.send' }, 'email.send'],
    ['nowhere', { exchange: '', routingKey: '' }, 'amq.default'],
    [
      'from a queue of another name',
      { exchange: 'events', routingKey: 'order.placed', queue: 'audit' },
      'events:order.placed:audit',
    ],
    [
      'from a queue of the same name',
      { exchange: 'jobs', routingKey: 'email.send', queue: 'email.send' },
      'jobs:email.send',
    ],
  ])('%s', (_, address, name) => {
    expect(destinationOf({ ...nothing, ...address })).toBe(name);
  });
});

describe('the attributes of a message', () => {
  it('leave out what is not known', () => {
    const message = { ...nothing, exchange: 'jobs', routingKey: '', deliveryTag: 0 };
    expect(samplingAttributes(message, { name: 'ack', type: 'settle' })).toEqual({
      'messaging.system': 'rabbitmq',
      'messaging.operation.name': 'ack',
      'messaging.operation.type': 'settle',
      'messaging.destination.name': 'jobs',
    });
    expect(furtherAttributes(message)).toEqual({});
  });
});
