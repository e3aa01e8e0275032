import {
  BrokerBlockedError,
  BrokerUnavailableError,
  ConfigInvalidError,
  derivedJobId,
  HeaderInvalidError,
  PayloadInvalidError,
  PayloadTooLargeError,
  PublishBufferFullError,
  PublishRefusedError,
  PublishTimeoutError,
  UnknownJobTypeError,
  UnroutableError,
} from '@warren/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import { GOOD_JOB, postJob } from '../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../fixtures/running-app.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

let app: RunningApp;
afterEach(() => app.stop());

async function answerWhenAcceptThrows(error: unknown) {
  app = await runApp({}, () => Promise.reject(error));
  return postJob(app.url, { ...GOOD_JOB, id: ID });
}

describe('an accepted job', () => {
  it('is answered 202 with its place, id, type and state', async () => {
    app = await runApp();
    const { status, headers, body } = await postJob(app.url, { ...GOOD_JOB, id: ID });
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`/v1/jobs/${ID}`);
    expect(body).toEqual({ id: ID, type: 'email.send', state: 'accepted' });
  });

  it('gets a UUIDv7 where none is given', async () => {
    app = await runApp();
    const { body } = await postJob(app.url, GOOD_JOB);
    expect(body.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(app.accepted[0]?.id).toBe(body.id);
  });

  it('has its id in lower case, so that one job has one id', async () => {
    app = await runApp();
    const { body } = await postJob(app.url, { ...GOOD_JOB, id: ID.toUpperCase() });
    expect(body.id).toBe(ID);
  });

  it('keeps payload, correlation id and headers as they were sent', async () => {
    app = await runApp();
    const payload = {
      note: 'the text "__proto__" is harmless',
      n: 1.5,
      nothing: null,
      deep: [[{}]],
    };
    const headers = { tenant: 'acme', retries: -3, ratio: 0.25, urgent: false, empty: '' };
    await postJob(app.url, { type: 't', payload, id: ID, correlationId: 'c-1', headers });
    expect(app.accepted).toEqual([{ type: 't', payload, id: ID, correlationId: 'c-1', headers }]);
  });

  it.each([null, false, 0, '', []])('may have the payload %j', async (payload) => {
    app = await runApp();
    expect((await postJob(app.url, { type: 't', payload })).status).toBe(202);
    expect(app.accepted[0]?.payload).toEqual(payload);
  });

  it('takes the last of duplicate keys, as JSON parsers do', async () => {
    app = await runApp();
    await postJob(app.url, '{"type":"a","type":"b","payload":{"x":1,"x":2}}');
    expect(app.accepted[0]).toMatchObject({ type: 'b', payload: { x: 2 } });
  });

  it('may be put off, and may expire', async () => {
    app = await runApp();
    const runAt = new Date(Date.now() + 60_000).toISOString().replace('Z', '+00:00');
    await postJob(app.url, { ...GOOD_JOB, delay: '1.5h', expiresIn: '30d' });
    await postJob(app.url, { ...GOOD_JOB, runAt });
    await postJob(app.url, { ...GOOD_JOB, runAt: '2020-02-29T12:00:00+05:30' });
    expect(app.accepted).toMatchObject([
      { delay: '1.5h', expiresIn: '30d' },
      { runAt: new Date(runAt) },
      { runAt: new Date('2020-02-29T06:30:00Z') },
    ]);
  });

  it('has an id that is made of its idempotency key, where it has one', async () => {
    app = await runApp();
    const keyed = { ...GOOD_JOB, idempotencyKey: 'order-17' };
    const first = await postJob(app.url, keyed);
    const second = await postJob(app.url, keyed);
    const other = await postJob(app.url, { ...keyed, idempotencyKey: 'order-18' });
    expect(first.body.id).toBe(derivedJobId('email.send', 'order-17'));
    expect(second.body.id).toBe(first.body.id);
    expect(other.body.id).not.toBe(first.body.id);
    expect(app.accepted).toHaveLength(3);
  });

  it('has the request id as correlation id where it can serve', async () => {
    app = await runApp();
    await postJob(app.url, GOOD_JOB, { 'x-request-id': 'req-9' });
    await postJob(app.url, { ...GOOD_JOB, correlationId: 'own' }, { 'x-request-id': 'req-9' });
    await postJob(app.url, GOOD_JOB, { 'x-request-id': 'r'.repeat(129) });
    expect(app.accepted.map((job) => job.correlationId)).toEqual(['req-9', 'own', undefined]);
  });

  it('leaves no trace of its payload in the log', async () => {
    app = await runApp();
    await postJob(app.url, {
      type: 't',
      payload: { secret: 'hunter2' },
      headers: { h: 'hunter3' },
    });
    expect(app.log()).toContain('"path":"/v1/jobs"');
    expect(app.log()).not.toMatch(/hunter/);
  });
});

const CLIENT_ERRORS: [Error, number, string, string][] = [
  [new UnknownJobTypeError('nope', ['email.send']), 422, 'UNKNOWN_JOB_TYPE', 'type'],
  [
    new PayloadInvalidError('email.send', [{ path: 'to', message: 'no' }]),
    422,
    'PAYLOAD_INVALID',
    'payload.to',
  ],
  [
    new PayloadInvalidError('email.send', [{ path: '', message: 'no' }]),
    422,
    'PAYLOAD_INVALID',
    'payload',
  ],
  [new PayloadTooLargeError('email.send', 11, 10), 413, 'PAYLOAD_TOO_LARGE', 'payload'],
  [new HeaderInvalidError('h', 'no'), 422, 'HEADER_INVALID', 'headers.h'],
  [new ConfigInvalidError('runAt', 'no'), 400, 'BAD_REQUEST', 'runAt'],
];

const BROKER_ERRORS: [Error, string][] = [
  [new BrokerUnavailableError('connection refused'), 'BROKER_UNAVAILABLE'],
  [new BrokerBlockedError('low on memory'), 'BROKER_BLOCKED'],
  [new PublishBufferFullError(10, 100), 'PUBLISH_BUFFER_FULL'],
  [new PublishRefusedError('jobs', 'email.send'), 'PUBLISH_REFUSED'],
  [new UnroutableError('jobs', 'email.send', 'NO_ROUTE'), 'UNROUTABLE'],
];

describe('a job that is not accepted', () => {
  it.each(CLIENT_ERRORS)('%s', async (error, status, code, field) => {
    const answer = await answerWhenAcceptThrows(error);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code, status, detail: error.message });
    expect(answer.body.errors?.map((entry) => entry.field)).toEqual([field]);
    expect(answer.headers.get('retry-after')).toBeNull();
  });

  it.each(BROKER_ERRORS)('%s: 503 with Retry-After', async (error, code) => {
    const answer = await answerWhenAcceptThrows(error);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code, detail: error.message });
    expect(answer.body.id).toBeUndefined();
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('says that the result is unknown, and the id to repeat with, when no confirm came', async () => {
    app = await runApp({}, () => Promise.reject(new PublishTimeoutError(10_000, 'no confirm')));
    const { status, headers, body } = await postJob(app.url, GOOD_JOB);
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('5');
    expect(body.code).toBe('PUBLISH_TIMEOUT');
    expect(body.id).toBe(app.accepted[0]?.id);
    expect(body.detail).toContain('unknown, may be enqueued');
    expect(body.detail).toContain(body.id);
  });

  it('tells the log, not the caller, about anything unforeseen', async () => {
    const answer = await answerWhenAcceptThrows(new TypeError('secret internals'));
    expect(answer.status).toBe(500);
    expect(answer.body.code).toBe('INTERNAL');
    expect(JSON.stringify(answer.body)).not.toContain('secret internals');
    expect(app.log()).toContain('secret internals');
  });
});
