import { describe, expect, it } from 'vitest';
import { blameOf } from './blame.ts';
import type { ChannelError } from './channel-supervisor.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

const message: OutgoingMessage = {
  exchange: 'jobs',
  routingKey: 'email.send',
  body: Buffer.alloc(100),
  properties: { messageId: 'a', persistent: true, mandatory: true },
};

function closedBy(code: number, text: string): ChannelError {
  const said = `Channel closed by server: ${code} with message "${text}"`;
  return Object.assign(new Error(said), { code });
}

describe('blameOf', () => {
  it.each([
    [404, "NOT_FOUND - no exchange 'jobs' in vhost '/'", 'suspect'],
    [404, "NOT_FOUND - no exchange 'jobs.due' in vhost '/'", 'innocent'],
    [
      403,
      "ACCESS_REFUSED - access to exchange 'jobs' in vhost '/' refused for user 'u'",
      'suspect',
    ],
    [
      403,
      "ACCESS_REFUSED - access to exchange 'events' in vhost '/' refused for user 'u'",
      'innocent',
    ],
    [
      403,
      "ACCESS_REFUSED - access to topic 'x' in exchange 'jobs' in vhost '/' refused",
      'suspect',
    ],
    [541, 'INTERNAL_ERROR', 'suspect'],
  ])('%i, %s: %s', (code, text, verdict) => {
    expect(blameOf(message, closedBy(code, text))).toBe(verdict);
  });

  it.each([
    [99, { code: 'PAYLOAD_TOO_LARGE', sizeBytes: 100, limitBytes: 99 }],
    [100, 'innocent'],
    [101, 'innocent'],
  ])('judges a message of 100 bytes by the limit of %i', (limit, expected) => {
    const text = `PRECONDITION_FAILED - message size 5000 is larger than configured max size ${limit}`;
    const verdict = blameOf(message, closedBy(406, text));
    if (typeof expected === 'string') expect(verdict).toBe(expected);
    else expect(verdict).toMatchObject(expected);
  });
});
