import type { OutgoingMessage } from '@warren/broker';
import {
  ConfigInvalidError,
  defineJob,
  HeaderInvalidError,
  newJobId,
  PayloadInvalidError,
  PayloadTooLargeError,
  type StandardSchemaV1,
  timeOfJobId,
} from '@warren/contracts';
import { createNames } from '@warren/topology';
import { describe, expect, it } from 'vitest';
import { toJobMessage } from './outgoing-job.ts';
import type { PublishOptions } from './publish-options.ts';

const sender = { service: 'shop', names: createNames() };

interface Mail {
  to: string;
}

/** Takes `{ to }` and puts it into lower case, at once or later. */
function mailSchema(answer: 'now' | 'later'): StandardSchemaV1<Mail, Mail> {
  const check = (value: unknown) => {
    const to = (value as Partial<Mail> | null)?.to;
    if (typeof to !== 'string') return { issues: [{ message: 'expected text', path: ['to'] }] };
    return { value: { to: to.toLowerCase() } };
  };
  const validate = (value: unknown) =>
    answer === 'now' ? check(value) : Promise.resolve().then(() => check(value));
  return { '~standard': { version: 1, vendor: 'test', validate } };
}

const sendEmail = defineJob({ type: 'email.send', schema: mailSchema('now'), maxPayloadBytes: 50 });
const sendLater = defineJob({ type: 'email.later', schema: mailSchema('later') });
const mail = { to: 'Ada@example.com' };

function build(options: unknown = {}, payload: unknown = mail): OutgoingMessage {
  const message = toJobMessage(sender, sendEmail, payload, options as PublishOptions);
  if (message instanceof Promise) throw new Error('its schema answers at once');
  return message;
}

function optionRefused(options: unknown): ConfigInvalidError {
  try {
    build(options);
  } catch (error) {
    if (error instanceof ConfigInvalidError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

describe('toJobMessage', () => {
  it('addresses the job type at the front door, kept on disk and refused where no queue takes it', () => {
    const before = Date.now();
    const { exchange, routingKey, properties } = build();
    const { messageId, timestamp, ...rest } = properties;
    expect({ exchange, routingKey }).toEqual({ exchange: 'jobs', routingKey: 'email.send' });
    expect(rest).toEqual({
      type: 'email.send',
      contentType: 'application/json',
      appId: 'shop',
      persistent: true,
      mandatory: true,
    });
    expect(timeOfJobId(messageId)).toBeGreaterThanOrEqual(before - 1);
    expect(timestamp).toBeGreaterThanOrEqual(Math.floor(before / 1_000));
    expect(timestamp).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000));
    expect(Number.isInteger(timestamp)).toBe(true);
  });

  it('gives each job an id of its own', () => {
    expect(build().properties.messageId).not.toBe(build().properties.messageId);
  });

  it('writes no headers unless some are given: they cost throughput', () => {
    expect('headers' in build().properties).toBe(false);
    expect('correlationId' in build({ correlationId: undefined }).properties).toBe(false);
  });

  it('sends the payload as given, not as the schema transforms it', () => {
    expect(JSON.parse(build().body.toString())).toEqual(mail);
  });

  it('waits for a schema that answers later', async () => {
    const message = toJobMessage(sender, sendLater, mail, {});
    expect(message).toBeInstanceOf(Promise);
    expect(JSON.parse((await message).body.toString())).toEqual(mail);
    await expect(toJobMessage(sender, sendLater, {}, {})).rejects.toThrow(PayloadInvalidError);
  });

  it('passes on what was asked for', () => {
    const id = newJobId();
    const headers = { tenant: 'acme' };
    const { properties } = build({ id, correlationId: 'order-1', headers, timeoutMs: 5_000 });
    expect(properties).toMatchObject({ messageId: id, correlationId: 'order-1', headers });
  });

  it('keeps the headers that it checked, whatever becomes of the object', () => {
    const headers: Record<string, unknown> = { tenant: 'acme' };
    const { properties } = build({ headers });
    headers['tenant'] = 10n;
    expect(properties.headers).toEqual({ tenant: 'acme' });
  });

  it('refuses a payload that does not fit', () => {
    expect(() => build({}, { to: 7 })).toThrow(PayloadInvalidError);
    expect(() => build({}, null)).toThrow(PayloadInvalidError);
    expect(() => build({}, { to: 'x'.repeat(50) })).toThrow(PayloadTooLargeError);
  });

  it('refuses a header by name', () => {
    expect(() => build({ headers: { 'x-attempt': 3 } })).toThrow(HeaderInvalidError);
  });
});

describe('a wrong option is named', () => {
  it.each([
    ['id', 'order-1'],
    ['id', ''],
    ['id', 7],
    ['id', null],
    ['id', `${newJobId()} `],
    ['id', '019a0000-0000-7000-8000-00000000000g'],
    ['correlationId', ''],
    ['correlationId', 7],
    ['correlationId', null],
    ['correlationId', 'c'.repeat(256)],
    ['correlationId', '語'.repeat(86)],
    ['correlationId', '\ud83d'],
    ['timeoutMs', 0],
    ['timeoutMs', -1],
    ['timeoutMs', 600_001],
    ['timeoutMs', Number.NaN],
    ['timeoutMs', Number.POSITIVE_INFINITY],
    ['timeoutMs', '5000'],
    ['timeoutMs', null],
    ['delay', '5'],
    ['delay', '25h'],
    ['runAt', 'tomorrow'],
    ['expiresIn', '0s'],
    ['idempotencyKey', ''],
    ['priority', 5],
    ['timeout', 5_000],
    ['expiration', 1],
  ])('%s: %j', (name, value) => {
    expect(optionRefused({ [name]: value }).setting).toBe(name);
  });

  it.each([null, 'text', 7])('options: %j', (options) => {
    expect(optionRefused(options).setting).toBe('options');
  });

  it.each([
    ['id', '019A0000-0000-7000-8000-00000000000F'],
    ['correlationId', 'c'.repeat(255)],
    ['timeoutMs', 600_000],
    ['timeoutMs', 0.5],
  ])('but not %s: %j', (name, value) => {
    expect(() => build({ [name]: value })).not.toThrow();
  });
});
