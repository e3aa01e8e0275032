import {
  BrokerBlockedError,
  BrokerUnavailableError,
  PayloadInvalidError,
  PublishTimeoutError,
  UnknownJobTypeError,
} from '@warren/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import type { JobRequest } from '../../domain/accept-job.ts';
import { acceptAll } from '../../fixtures/accept-all.ts';
import { postArray } from '../../fixtures/post-bulk.ts';
import { BULK_LIMIT_BYTES, type RunningApp, runApp } from '../../fixtures/running-app.ts';

let app: RunningApp;
afterEach(() => app.stop());

const job = (n: number, more: object = {}) => ({ type: 't', payload: { n }, ...more });
const numberOf = ({ payload }: JobRequest) => (payload as { n: number }).n;

describe('an array of jobs', () => {
  it('is answered with what became of each, in its order', async () => {
    app = await runApp({}, async (request) => {
      if (numberOf(request) === 1) throw new UnknownJobTypeError('t', []);
      if (numberOf(request) === 3)
        throw new PayloadInvalidError('t', [{ path: 'n', message: 'no' }]);
      return { id: request.id };
    });
    const { status, body } = await postArray(app.url, [
      job(0),
      job(1),
      job(2, { delay: 'soon' }),
      job(3),
      7,
      job(5),
    ]);
    expect(status).toBe(200);
    const ids = app.accepted.map(({ id }) => id);
    expect(body).toEqual({
      accepted: 2,
      rejected: 4,
      results: [
        { index: 0, id: ids[0] },
        { index: 1, error: errorOf('UNKNOWN_JOB_TYPE', 'type') },
        { index: 2, error: errorOf('BAD_REQUEST', 'delay') },
        { index: 3, error: errorOf('PAYLOAD_INVALID', 'payload.n') },
        { index: 4, error: errorOf('BAD_REQUEST', 'body') },
        { index: 5, id: ids[3] },
      ],
    });
  });

  it('may be empty', async () => {
    app = await runApp();
    expect((await postArray(app.url, [])).body).toEqual({ accepted: 0, rejected: 0, results: [] });
  });

  it('names the id to repeat with where no confirm came', async () => {
    app = await runApp({}, async () => {
      throw new PublishTimeoutError(10, 'no confirm');
    });
    const { status, body } = await postArray(app.url, [job(0)]);
    expect(status).toBe(200);
    const [{ id } = { id: '' }] = app.accepted;
    const error = { ...errorOf('PUBLISH_TIMEOUT'), id };
    expect(body.results).toEqual([{ index: 0, error }]);
  });

  it('tells the log, not the caller, about anything unforeseen', async () => {
    app = await runApp({}, () => Promise.reject(new TypeError('secret internals')));
    const { body } = await postArray(app.url, [job(0)]);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(body.results).toEqual([{ index: 0, error: errorOf('INTERNAL') }]);
    expect(app.log()).toContain('secret internals');
  });
});

const REFUSED: [string, unknown, number, string][] = [
  ['an object', job(0), 400, 'BAD_REQUEST'],
  ['no JSON', '[', 400, 'BAD_REQUEST'],
  ['10,001 items', Array(10_001).fill(0), 400, 'BAD_REQUEST'],
  ['more bytes than the limit', `["${'x'.repeat(BULK_LIMIT_BYTES)}"]`, 413, 'PAYLOAD_TOO_LARGE'],
];

describe('a request that is refused as a whole', () => {
  it.each(REFUSED)('%s', async (_name, items, status, code) => {
    app = await runApp();
    const answer = await postArray(app.url, items);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code, errors: [{ field: 'body' }] });
    expect(app.accepted).toEqual([]);
  });

  it('before its body is read, when the broker is known to be away', async () => {
    const refusal = () => new BrokerBlockedError('low on memory');
    const { acceptBulk } = acceptAll(async ({ id }) => ({ id }));
    app = await runApp({ acceptBulk: { ...acceptBulk, refusal } });
    const { status, headers, body } = await postArray(app.url, '[');
    expect(status).toBe(503);
    expect(body.code).toBe('BROKER_BLOCKED');
    expect(headers.get('retry-after')).toBe('5');
  });

  it('when the first job that reaches the broker finds it away, and no other is tried', async () => {
    app = await runApp({}, async (request) => {
      if (numberOf(request) === 1) throw new PayloadInvalidError('t', []);
      throw new BrokerUnavailableError('connection refused');
    });
    const { status, body } = await postArray(app.url, [7, job(1), job(2), job(3)]);
    expect(status).toBe(503);
    expect(body.code).toBe('BROKER_UNAVAILABLE');
    expect(app.accepted.map(numberOf)).toEqual([1, 2]);
  });
});

it('a broker that goes away later is the error of each item', async () => {
  app = await runApp({}, async (request) => {
    if (numberOf(request) === 0) return { id: request.id };
    throw new BrokerUnavailableError('connection reset');
  });
  const { status, body } = await postArray(app.url, [job(0), job(1), job(2)]);
  expect(status).toBe(200);
  expect(body).toMatchObject({ accepted: 1, rejected: 2 });
  expect(body.results?.slice(1)).toMatchObject([
    { index: 1, error: { code: 'BROKER_UNAVAILABLE' } },
    { index: 2, error: { code: 'BROKER_UNAVAILABLE' } },
  ]);
});

it('a shutdown in the middle is the error of each item that has not been published', async () => {
  const stopping = new AbortController();
  app = await runApp({ stopping: stopping.signal }, async (request) => {
    if (numberOf(request) === 1) stopping.abort();
    return { id: request.id };
  });
  const { body } = await postArray(app.url, [job(0), job(1), job(2), job(3)]);
  expect(body).toMatchObject({ accepted: 2, rejected: 2 });
  expect(body.results?.slice(2)).toMatchObject([
    { index: 2, error: { code: 'SHUTTING_DOWN' } },
    { index: 3, error: { code: 'SHUTTING_DOWN' } },
  ]);
});

function errorOf(code: string, field?: string) {
  return {
    code,
    title: expect.any(String),
    detail: expect.any(String),
    ...(field !== undefined && { errors: [{ field, message: expect.any(String) }] }),
  };
}
