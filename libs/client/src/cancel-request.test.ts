import { decodeCancelRequest, newJobId } from '@warren/contracts';
import { describe, expect, it } from 'vitest';
import { type CancelOptions, cancelMessage } from './cancel-request.ts';

const make = (id: unknown, options: unknown = {}) =>
  cancelMessage('jobs.cancels', 'shop', id as string, options as CancelOptions, 5);

describe('a request to cancel', () => {
  it('goes to the stream and nowhere else, and says who asks for what', () => {
    const id = newJobId();
    const message = make(id, { queue: 'a.b', generation: 2, by: 'ada' });
    expect(message).toMatchObject({ exchange: '', routingKey: 'jobs.cancels' });
    expect(message.properties).toMatchObject({ mandatory: true, persistent: true, appId: 'shop' });
    expect(message.properties.type).toBeUndefined();
    expect(decodeCancelRequest(message.body)).toEqual({
      id,
      queue: 'a.b',
      generation: 2,
      by: 'ada',
      atMs: 5,
    });
  });

  it.each([
    ['id', '', {}],
    ['id', 7, {}],
    ['id', 'x'.repeat(256), {}],
    ['queue', 'id', { queue: '' }],
    ['by', 'id', { by: 'x'.repeat(256) }],
    ['generation', 'id', { generation: -1 }],
    ['generation', 'id', { generation: 1.5 }],
    ['type', 'id', { type: 'a.b' }],
  ])('is refused for its %s', (setting, id, options) => {
    expect(() => make(id, options)).toThrowError(expect.objectContaining({ setting }));
  });
});
