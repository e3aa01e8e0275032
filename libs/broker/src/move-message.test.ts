import { HEADERS, newJobId, timeOfJobId } from '@warren/contracts';
import { delivered, type ReceivedProperties } from '@warren/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copyMessage, type Move } from './move-message.ts';
import { readMessage } from './received-message.ts';

const NOW = 1_800_000_000_000;
const SPAN = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const toQueue: Move = { exchange: 'jobs.due', routingKey: 'email.send', headers: {} };

function copy(properties: ReceivedProperties, move: Move = toQueue, body = Buffer.from('{}')) {
  const delivery = delivered(properties, { body });
  const received = readMessage(delivery);
  return copyMessage(delivery, { ...received, id: received.id ?? newJobId() }, move);
}

const headersOf = (properties: ReceivedProperties, move?: Move) =>
  copy(properties, move).properties.headers ?? {};

const ALLOWED = [
  'messageId',
  'persistent',
  'mandatory',
  'type',
  'contentType',
  'contentEncoding',
  'appId',
  'correlationId',
  'timestamp',
  'headers',
];
const NEVER_COPIED = [
  'x-death',
  'x-first-death-queue',
  'x-last-death-reason',
  'x-delivery-count',
  'x-acquired-count',
  'CC',
  'BCC',
];

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ minLength: 200, maxLength: 400 }),
);
const anyProperties = fc.record(
  {
    messageId: text,
    type: fc.oneof(text, fc.anything()),
    contentType: fc.oneof(text, fc.anything()),
    contentEncoding: text,
    appId: text,
    correlationId: text,
    timestamp: fc.oneof(fc.integer(), fc.double(), fc.anything()),
    expiration: fc.oneof(fc.nat().map(String), text),
    priority: fc.nat(255),
    userId: text,
    replyTo: text,
    clusterId: text,
    deliveryMode: fc.constantFrom(1, 2),
    headers: fc.dictionary(
      fc.oneof(text, fc.constantFrom(...NEVER_COPIED, ...Object.values(HEADERS))),
      fc.oneof(text, fc.integer(), fc.anything()),
    ),
  },
  { requiredKeys: [] },
);

describe('copyMessage', () => {
  it('copies the body byte for byte and no property but those allowed', () => {
    fc.assert(
      fc.property(anyProperties, fc.uint8Array(), (properties, bytes) => {
        const body = Buffer.from(bytes);
        const moved = copy(properties, toQueue, body);
        expect(moved.body.equals(body)).toBe(true);
        expect({ ...moved, body: undefined, properties: undefined }).toEqual({
          exchange: 'jobs.due',
          routingKey: 'email.send',
          body: undefined,
          properties: undefined,
        });
        expect(ALLOWED).toEqual(expect.arrayContaining(Object.keys(moved.properties)));
        expect(moved.properties).toMatchObject({ persistent: true, mandatory: true });
        const headers = moved.properties.headers ?? {};
        for (const name of NEVER_COPIED) expect(Object.hasOwn(headers, name)).toBe(false);
        for (const own of [HEADERS.deadReason, HEADERS.origin]) {
          expect(Object.hasOwn(headers, own)).toBe(false);
        }
      }),
    );
  });

  it('copies only text that AMQP can carry', () => {
    fc.assert(
      fc.property(anyProperties, (properties) => {
        const { headers: _, messageId, timestamp, ...rest } = copy(properties).properties;
        expect(messageId.length).toBeGreaterThan(0);
        expect(timestamp === undefined || Number.isSafeInteger(timestamp)).toBe(true);
        for (const value of Object.values(rest)) {
          if (typeof value === 'string') expect(Buffer.byteLength(value)).toBeLessThanOrEqual(255);
        }
      }),
    );
  });

  it('says the same of the job after a move as before', () => {
    fc.assert(
      fc.property(anyProperties, (properties) => {
        const id = newJobId();
        const before = readMessage(delivered({ ...properties, messageId: id }));
        const after = readMessage(
          delivered({ ...copy({ ...properties, messageId: id }).properties }),
        );
        const expiresAtMs = before.expiresAtMs ?? after.expiresAtMs;
        const correlationId = after.correlationId && before.correlationId;
        // Texts longer than AMQP's short strings cannot have come from a broker.
        const type = after.type && before.type;
        expect(after).toEqual({ ...before, expiresAtMs, correlationId, type });
      }),
    );
  });

  it('keeps what describes the message', () => {
    const properties = {
      messageId: 'job-1',
      type: 'email.send',
      contentType: 'application/json',
      contentEncoding: 'utf-8',
      appId: 'shop',
      correlationId: 'order-1',
      timestamp: 1_700_000_000,
    };
    const { headers, ...kept } = copy(properties).properties;
    expect(kept).toEqual({ ...properties, persistent: true, mandatory: true });
    expect(headers).toEqual({ [HEADERS.publishedAt]: 1_700_000_000_000 });
  });

  it('adds no header to a job that its id dates', () => {
    expect(headersOf({ messageId: newJobId() })).toEqual({});
    expect(headersOf({ messageId: newJobId(), headers: { [HEADERS.attempt]: 1 } })).toEqual({});
  });

  it('sets an expiration for a tier only', () => {
    expect(copy({ expiration: '5000' }).properties.expiration).toBeUndefined();
    const toTier = { ...toQueue, expirationMs: 30_000 };
    expect(copy({ expiration: '5000' }, toTier).properties.expiration).toBe('30000');
  });

  it.each([
    ['5000', 1_700_000_005_000],
    ['0', 1_700_000_000_000],
    ['soon', undefined],
    ['-1', undefined],
    [5_000, undefined],
  ])("turns a publisher's expiration of %j into a time", (expiration, expected) => {
    const properties = { messageId: 'job-1', timestamp: 1_700_000_000, expiration };
    expect(headersOf(properties)[HEADERS.expiresAt]).toBe(expected);
  });

  it('counts an expiration from the delivery where nobody dated the job, and lets a known time stand', () => {
    const undated = { messageId: 'job-1', expiration: '5000' };
    expect(headersOf(undated)[HEADERS.expiresAt]).toBe(NOW + 5_000);
    const told = { ...undated, headers: { [HEADERS.expiresAt]: 7 } };
    expect(headersOf(told)[HEADERS.expiresAt]).toBe(7);
  });

  it('dates a job that nobody dated by its first move', () => {
    const before = Date.now();
    const dated = Number(headersOf({ messageId: 'job-1' })[HEADERS.publishedAt]);
    expect(dated).toBeGreaterThanOrEqual(before);
    expect(dated).toBeLessThanOrEqual(Date.now());
  });

  it('gives a job without an id one, with its age', () => {
    const { messageId, headers } = copy({ timestamp: 1_700_000_000 }).properties;
    expect(timeOfJobId(messageId)).toBeDefined();
    expect(headers).toEqual({ [HEADERS.publishedAt]: 1_700_000_000_000 });
  });

  it('changes the headers that the move names, takes away those it sets to undefined, carries the others', () => {
    const properties = {
      messageId: newJobId(),
      headers: {
        [HEADERS.attempt]: 2,
        [HEADERS.generation]: 1,
        [HEADERS.snoozes]: 3,
        [HEADERS.notBefore]: NOW,
        [HEADERS.error]: 'Error: x',
        [HEADERS.origin]: 'elsewhere',
        [HEADERS.replayOf]: 'job-0',
        tenant: 't',
      },
    };
    const headers = { attempt: 3, snoozes: undefined, deadReason: 'poison' };
    expect(headersOf(properties, { ...toQueue, headers })).toEqual({
      [HEADERS.attempt]: 3,
      [HEADERS.generation]: 1,
      [HEADERS.notBefore]: NOW,
      [HEADERS.error]: 'Error: x',
      [HEADERS.replayOf]: 'job-0',
      [HEADERS.deadReason]: 'poison',
      tenant: 't',
    });
  });

  it("keeps the publisher's headers within a bound, and beyond it on demand", () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`h${at}`, at]));
    const properties = { messageId: newJobId(), headers: { ...many, long: 'x'.repeat(20_000) } };
    expect(Object.keys(headersOf(properties)).length).toBe(50);
    expect(headersOf(properties, { ...toQueue, foreignHeaders: 'all' })).toEqual(
      properties.headers,
    );
  });

  it("leaves the publisher's headers out on demand, but not the kit's", () => {
    const properties = {
      messageId: newJobId(),
      headers: {
        tenant: 't',
        [HEADERS.attempt]: 2,
        [HEADERS.error]: 'Error: x',
        [HEADERS.traceparent]: SPAN,
        [HEADERS.previousSpan]: SPAN,
      },
    };
    expect(headersOf(properties, { ...toQueue, foreignHeaders: 'none' })).toEqual({
      [HEADERS.attempt]: 2,
      [HEADERS.error]: 'Error: x',
      [HEADERS.traceparent]: SPAN,
      [HEADERS.previousSpan]: SPAN,
    });
  });
});
