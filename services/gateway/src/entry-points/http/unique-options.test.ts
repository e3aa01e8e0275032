import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AcceptedJob } from '../../domain/accept-job.ts';
import { postArray } from '../../fixtures/post-bulk.ts';
import { GOOD_JOB, postJob } from '../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../fixtures/running-app.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

let app: RunningApp;
let answer: AcceptedJob = { id: ID };
beforeAll(async () => {
  app = await runApp({ takesKeys: true }, async () => answer);
});
afterEach(() => {
  app.accepted.length = 0;
});
afterAll(() => app.stop());

const post = (options: object, headers = {}) =>
  postJob(app.url, { ...GOOD_JOB, ...options }, headers);
const waits = (options: object) => ({ debounce: '30s', uniqueKey: 'k', ...options });

const REFUSED: [string, object, string][] = [
  ['another unique', { unique: 'always' }, 'unique'],
  ['unique as boolean', { unique: true }, 'unique'],
  ['a throttle that is none', { throttle: 'soon' }, 'throttle'],
  ['a throttle of nothing', { throttle: '0s' }, 'throttle'],
  ['a throttle for ever', { throttle: '366d' }, 'throttle'],
  ['a debounce as number', { debounce: 30, uniqueKey: 'k' }, 'debounce'],
  ['a debounce of more than a day', waits({ debounce: '25h' }), 'debounce'],
  ['a debounce without a key', { debounce: '30s' }, 'uniqueKey'],
  ['an empty key', { unique: 'active', uniqueKey: '' }, 'uniqueKey'],
  ['a long key', { unique: 'active', uniqueKey: 'ä'.repeat(513) }, 'uniqueKey'],
  ['a key with half a surrogate pair', waits({ uniqueKey: '\ud800' }), 'uniqueKey'],
  ['a key for nothing', { uniqueKey: 'k' }, 'uniqueKey'],
  ['a bound for nothing', { maxWait: '5m' }, 'maxWait'],
  ['a bound of something else', { throttle: '5m', maxWait: '5m' }, 'maxWait'],
  ['a bound that is shorter', waits({ maxWait: '29s' }), 'maxWait'],
  ['a bound that is too long', waits({ maxWait: '8d' }), 'maxWait'],
  ['a bound that is none', waits({ maxWait: 'x' }), 'maxWait'],
  ['unique and throttle', { unique: 'active', throttle: '5m' }, 'throttle'],
  ['unique and debounce', waits({ unique: 'active' }), 'debounce'],
  ['throttle and debounce', waits({ throttle: '5m' }), 'debounce'],
  ['unique and an id', { unique: 'active', id: ID }, 'id'],
  ['throttle and an idempotency key', { throttle: '5m', idempotencyKey: 'k' }, 'idempotencyKey'],
  ['debounce and a delay', waits({ delay: '5m' }), 'delay'],
  ['debounce and a time', waits({ runAt: '2020-01-01T00:00:00Z' }), 'runAt'],
  ['debounce of what expires first', waits({ expiresIn: '30s' }), 'expiresIn'],
];

describe('the options by which requests are one job', () => {
  it.each(REFUSED)('refuse %s', async (_, options, field) => {
    const { status, body } = await post(options);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.errors?.map((error) => error.field)).toEqual([field]);
    expect(app.accepted).toEqual([]);
  });

  it('refuse a key of the request beside them', async () => {
    const { status, body } = await post({ unique: 'active' }, { 'idempotency-key': 'k' });
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'idempotency-key']);
  });

  it.each([
    { unique: 'active', delay: '5m', expiresIn: '1h', correlationId: 'c', headers: { a: 1 } },
    { throttle: '10m', uniqueKey: 'k', lane: 'high' },
    { debounce: '30s', uniqueKey: 'k', maxWait: '30s', expiresIn: '31s' },
  ])('come as they were sent: %j', async (options) => {
    expect((await post(options)).status).toBe(202);
    expect(app.accepted[0]).toMatchObject(options);
  });

  it('answer with the job of before, one by one and in bulk', async () => {
    answer = { id: ID, duplicate: true, replaced: true };
    const told = { id: ID, duplicate: true, replaced: true };
    const { status, headers, body } = await post(waits({}));
    expect([status, headers.get('location')]).toEqual([202, `/v1/jobs/${ID}`]);
    expect(body).toEqual({ type: 'email.send', state: 'accepted', ...told });
    const many = await postArray(app.url, [{ ...GOOD_JOB, ...waits({}) }]);
    expect(many.body.results).toEqual([{ index: 0, ...told }]);
    answer = { id: ID, duplicate: true };
    const throttled = await postArray(app.url, [{ ...GOOD_JOB, throttle: '5m' }]);
    expect(throttled.body.results).toEqual([{ index: 0, id: ID, duplicate: true }]);
  });
});
