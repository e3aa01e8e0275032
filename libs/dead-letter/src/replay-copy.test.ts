import { readMessage } from '@warren/broker';
import { HEADERS, newJobId } from '@warren/contracts';
import { delivered, type ReceivedProperties } from '@warren/testing';
import { describe, expect, it } from 'vitest';
import { cameBack, replayCopy } from './replay-copy.ts';

const NOW = 1_800_000_000_000;
const to = { exchange: 'jobs.due', queue: 'email.send' };

function copy(properties: ReceivedProperties, span?: string) {
  const delivery = delivered(properties, { body: Buffer.from([0xff, 0]) });
  return replayCopy(delivery, readMessage(delivery), to, NOW, span);
}

describe('replayCopy', () => {
  it('keeps id, body and properties, and addresses the queue', () => {
    const id = newJobId();
    const message = copy({ messageId: id, type: 'email.send', correlationId: 'c', priority: 5 });
    expect(message).toEqual({
      exchange: 'jobs.due',
      routingKey: 'email.send',
      body: Buffer.from([0xff, 0]),
      properties: {
        messageId: id,
        persistent: true,
        mandatory: true,
        type: 'email.send',
        correlationId: 'c',
        headers: {
          [HEADERS.generation]: 1,
          [HEADERS.publishedAt]: NOW,
          [HEADERS.replayOf]: id,
        },
      },
    });
  });

  it('is of the job type that it is sent to', () => {
    const delivery = delivered({ messageId: 'j', type: 'old.mail' });
    const way = { ...to, type: 'email.send' };
    const { properties } = replayCopy(delivery, readMessage(delivery), way, NOW);
    expect(properties.type).toBe('email.send');
  });

  it("keeps the job's trace, and says which span it was replayed in", () => {
    const [made, last, replay] = ['01', '02', '03'].map(
      (at) => `00-0af7651916cd43dd8448eb211c80319c-b7ad6b71692033${at}-01`,
    );
    const headers = { [HEADERS.traceparent]: made, [HEADERS.previousSpan]: last };
    const spansOf = (properties: ReceivedProperties, span?: string) => {
      const { traceparent, [HEADERS.previousSpan]: previous } =
        copy(properties, span).properties.headers ?? {};
      return [traceparent, previous];
    };
    expect(spansOf({ headers }, replay)).toEqual([made, replay]);
    expect(spansOf({ headers })).toEqual([made, last]);
    expect(spansOf({}, replay)).toEqual([replay, replay]);
    expect(spansOf({})).toEqual([undefined, undefined]);
  });

  it('starts over: nothing of earlier attempts, delays or ends is left', () => {
    const headers = {
      [HEADERS.attempt]: 5,
      [HEADERS.generation]: 3,
      [HEADERS.snoozes]: 2,
      [HEADERS.notBefore]: NOW + 1,
      [HEADERS.expiresAt]: NOW - 1,
      [HEADERS.publishedAt]: 7,
      [HEADERS.error]: 'Error: x',
      [HEADERS.deadReason]: 'max_age',
      [HEADERS.origin]: 'email.send',
      [HEADERS.payloadVersion]: 2,
      [HEADERS.replayOf]: 'older',
      tenant: 't',
      CC: ['elsewhere'],
    };
    const { properties } = copy({ messageId: 'job-1', headers, expiration: '5000' });
    expect(properties.expiration).toBeUndefined();
    expect(properties.headers).toEqual({
      [HEADERS.generation]: 4,
      [HEADERS.publishedAt]: NOW,
      [HEADERS.payloadVersion]: 2,
      [HEADERS.replayOf]: 'job-1',
      tenant: 't',
    });
  });

  it('keeps all headers of the publisher, however many and large', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`h${at}`, at]));
    const headers = { ...many, long: 'x'.repeat(60_000) };
    expect(copy({ messageId: 'job-1', headers }).properties.headers).toMatchObject(headers);
  });

  it('gives a message without an id one, which is nobody’s replay', () => {
    const { messageId, headers } = copy({}).properties;
    expect(messageId).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers).toEqual({ [HEADERS.generation]: 1, [HEADERS.publishedAt]: NOW });
  });
});

describe('cameBack', () => {
  const met = (headers: Record<string, unknown>) =>
    cameBack(readMessage({ message: delivered({ headers }).message }), NOW - 100, NOW);

  it.each([
    ['replayed since the start', NOW - 50, 1, true],
    ['replayed in the very first moment', NOW - 100, 1, true],
    ['replayed before', NOW - 101, 1, false],
    ['never replayed, but new', NOW - 50, 0, false],
    ['replayed by a clock that is ahead', NOW + 1, 1, false],
  ])('%s', (_, publishedAtMs, generation, expected) => {
    const headers = { [HEADERS.generation]: generation, [HEADERS.publishedAt]: publishedAtMs };
    expect(met(headers)).toBe(expected);
  });

  it('not without a date', () => {
    expect(met({ [HEADERS.generation]: 1 })).toBe(false);
  });
});
