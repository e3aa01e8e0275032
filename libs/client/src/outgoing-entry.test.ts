import type { OutgoingMessage } from '@warren/broker';
import {
  defineEvent,
  defineJob,
  derivedJobId,
  type EventDefinition,
  type JobDefinition,
  newJobId,
  type StandardSchemaV1,
} from '@warren/contracts';
import { createNames, RETRY_TIERS } from '@warren/topology';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toEventMessage, toJobMessage } from './outgoing-job.ts';
import type { EmitOptions, PublishOptions } from './publish-options.ts';

const NOW_MS = 1_800_000_000_123;
beforeEach(() => void vi.useFakeTimers({ now: NOW_MS }));
afterEach(() => void vi.useRealTimers());

const schema: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) },
};
const sender = { service: 'shop', names: createNames('blue') };
const keep = (payload: unknown) => payload;

const mail = defineJob({ type: 'email.send', schema });
const thirdMail = defineJob({
  type: 'email.send',
  schema,
  version: 3,
  upgrade: { 1: keep, 2: keep },
});
const placed = defineEvent({ type: 'order.placed', schema });
const secondPlaced = defineEvent({
  type: 'order.placed',
  schema,
  version: 2,
  upgrade: { 1: keep },
});

const job = (options?: PublishOptions, definition: JobDefinition = mail) =>
  toJobMessage(sender, definition, 1, options) as OutgoingMessage;
const event = (options?: EmitOptions, definition: EventDefinition = placed) =>
  toEventMessage(sender, definition, 1, options) as OutgoingMessage;

describe('a delayed job', () => {
  it('enters by the greatest tier that is not longer, bound for its queue, with the exact time', () => {
    const tiers = RETRY_TIERS.map(({ delayMs }) => delayMs);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 86_400_000 }), (delayMs) => {
        const { exchange, routingKey, properties } = job({ delay: `${delayMs}ms` });
        const tier = RETRY_TIERS.findLast((one) => one.delayMs <= delayMs) ?? RETRY_TIERS[0];
        expect(exchange).toBe(`blue.retry.${tier?.name}`);
        expect(routingKey).toBe('blue.email.send');
        expect(properties.mandatory).toBe(true);
        expect(properties.expiration).toBe(String(tier?.delayMs));
        expect(tiers).toContain(Number(properties.expiration));
        expect(properties.headers).toEqual({ 'x-not-before': NOW_MS + delayMs });
      }),
    );
  });

  it('may be given a time', () => {
    const { exchange, properties } = job({ runAt: new Date(NOW_MS + 90_000) });
    expect(exchange).toBe('blue.retry.1m');
    expect(properties.headers).toEqual({ 'x-not-before': NOW_MS + 90_000 });
  });

  it.each<[string, PublishOptions]>([
    ['of nothing', { delay: '0ms' }],
    ['that is over', { runAt: new Date(NOW_MS - 1) }],
  ])('by a delay %s enters as any other', (_, options) => {
    const { messageId: _id, ...properties } = job(options).properties;
    const { messageId: _other, ...usual } = job().properties;
    expect({ ...job(options), properties }).toEqual({ ...job(), properties: usual });
    expect(properties).not.toHaveProperty('expiration');
  });
});

describe('an event', () => {
  it('goes to the exchange of events under its name, and may have no reader', () => {
    const { exchange, routingKey, properties } = event();
    expect([exchange, routingKey]).toEqual(['blue.events', 'order.placed']);
    expect(properties).toMatchObject({ type: 'order.placed', mandatory: false, persistent: true });
    expect(properties).not.toHaveProperty('headers');
  });

  it('takes its options along', () => {
    const headers = { tenant: 'acme' };
    const { properties } = event({ correlationId: 'c', headers, expiresIn: '1s' }, secondPlaced);
    expect(properties).toMatchObject({
      correlationId: 'c',
      headers: { tenant: 'acme', 'x-expires-at': NOW_MS + 1_000, 'x-payload-version': 2 },
    });
    // As a property it would have the broker drop the event without a count.
    expect(properties).not.toHaveProperty('expiration');
  });
});

describe('headers', () => {
  it('say the version from 2 on', () => {
    expect(job().properties.headers).toBeUndefined();
    expect(job({}, thirdMail).properties.headers).toEqual({ 'x-payload-version': 3 });
  });

  it('say when the job was published only where its id does not', () => {
    expect(job({ id: newJobId() }).properties.headers).toBeUndefined();
    const random = 'f47ac10b-58cc-4372-a567-0e02b2c3d479';
    expect(job({ id: random }).properties.headers).toEqual({ 'x-published-at': NOW_MS });
    expect(job({ idempotencyKey: 'k' }).properties.headers).toEqual({ 'x-published-at': NOW_MS });
    expect(event({ id: random }).properties.headers).toEqual({ 'x-published-at': NOW_MS });
  });

  it('are all there together', () => {
    const options: PublishOptions = {
      idempotencyKey: 'k',
      delay: '1m',
      expiresIn: '1h',
      headers: { tenant: 'acme' },
    };
    expect(job(options, thirdMail).properties.headers).toEqual({
      tenant: 'acme',
      'x-expires-at': NOW_MS + 3_600_000,
      'x-not-before': NOW_MS + 60_000,
      'x-payload-version': 3,
      'x-published-at': NOW_MS,
    });
  });
});

describe('an id', () => {
  it('follows from job type and key, and from nothing else', () => {
    const idOf = (options: PublishOptions, definition: JobDefinition = mail) =>
      job(options, definition).properties.messageId;
    const id = idOf({ idempotencyKey: 'order 7' });
    expect(id).toBe(derivedJobId('email.send', 'order 7'));
    expect(idOf({ idempotencyKey: 'order 7', delay: '1h' }, thirdMail)).toBe(id);
    expect(idOf({ idempotencyKey: 'order 8' })).not.toBe(id);
    const other = defineJob({ type: 'email.other', schema });
    expect(idOf({ idempotencyKey: 'order 7' }, other)).not.toBe(id);
  });

  it('that is given is written in lower case, so that it is the same everywhere', () => {
    const id = newJobId();
    expect(job({ id: id.toUpperCase() }).properties.messageId).toBe(id);
  });
});
