import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GOOD_JOB, postJob } from '../../fixtures/post-job.ts';
import { BODY_LIMIT_BYTES, type RunningApp, runApp } from '../../fixtures/running-app.ts';

let app: RunningApp;
beforeAll(async () => {
  app = await runApp();
});
afterAll(() => app.stop());

const ID = '01890000-0000-7000-8000-000000000000';
const job = (more: object): object => ({ ...GOOD_JOB, ...more });
const withHeaders = (headers: object): object => job({ headers });
const json = JSON.stringify(GOOD_JOB);
/** `"more"` spliced in as text, for what JSON.stringify would not write. */
const spliced = (more: string): string => json.replace('{', `{${more},`);

type Row = [name: string, body: unknown, status: number, field: string | undefined];

const BODIES: Row[] = [
  ['an empty body', '', 400, 'body'],
  ['white space', '  ', 400, 'body'],
  ['no JSON', '{"type":', 400, 'body'],
  ['JSON followed by more', `${json}x`, 400, 'body'],
  [
    'invalid UTF-8',
    Buffer.concat([Buffer.from('{"type":"t","payload":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    400,
    'body',
  ],
  ['null', 'null', 400, 'body'],
  ['an array', '[]', 400, 'body'],
  ['a number', '42', 400, 'body'],
  ['a string', '"x"', 400, 'body'],
  ['30,000 levels of arrays', '['.repeat(30_000) + ']'.repeat(30_000), 400, 'body'],
  ['an empty object', {}, 400, 'type'],
  ['no type', { payload: {} }, 400, 'type'],
  ['type as number', job({ type: 7 }), 400, 'type'],
  ['type empty', job({ type: '' }), 400, 'type'],
  ['no payload', { type: 'email.send' }, 400, 'payload'],
  ['an unknown option', job({ prioritee: 9 }), 400, 'prioritee'],
  ['idempotencyKey as number', job({ idempotencyKey: 7 }), 400, 'idempotencyKey'],
  ['idempotencyKey empty', job({ idempotencyKey: '' }), 400, 'idempotencyKey'],
  ['idempotencyKey too long', job({ idempotencyKey: 'ä'.repeat(513) }), 400, 'idempotencyKey'],
  [
    'idempotencyKey with half a surrogate',
    job({ idempotencyKey: '\udc00' }),
    400,
    'idempotencyKey',
  ],
  ['idempotencyKey beside id', job({ idempotencyKey: 'a', id: ID }), 400, 'idempotencyKey'],
  ['a lane that is none', job({ lane: 'urgent' }), 400, 'lane'],
  ['delay as number', job({ delay: 5 }), 400, 'delay'],
  ['delay without a unit', job({ delay: '5' }), 400, 'delay'],
  ['delay below zero', job({ delay: '-5m' }), 400, 'delay'],
  ['delay of more than a day', job({ delay: '24.1h' }), 400, 'delay'],
  ['runAt as number', job({ runAt: 1 }), 400, 'runAt'],
  ['runAt without a zone', job({ runAt: '2026-11-29T14:00:00' }), 400, 'runAt'],
  ['runAt on a day that is none', job({ runAt: '2026-02-30T14:00:00Z' }), 400, 'runAt'],
  ['runAt in words', job({ runAt: 'tomorrow' }), 400, 'runAt'],
  ['runAt after more than a day', job({ runAt: '2999-01-01T00:00:00Z' }), 400, 'runAt'],
  ['runAt beside delay', job({ runAt: '2020-01-01T00:00:00Z', delay: '1s' }), 400, 'runAt'],
  ['expiresIn that is none', job({ expiresIn: 'soon' }), 400, 'expiresIn'],
  ['expiresIn of nothing', job({ expiresIn: '0s' }), 400, 'expiresIn'],
  ['expiresIn beyond all numbers', job({ expiresIn: `${'9'.repeat(20)}d` }), 400, 'expiresIn'],
  ['id not a UUID', job({ id: 'order-17' }), 400, 'id'],
  ['id with a line break', job({ id: '01890000-0000-7000-8000-000000000000\r\nx: y' }), 400, 'id'],
  ['id as number', job({ id: 7 }), 400, 'id'],
  ['correlationId as number', job({ correlationId: 1 }), 400, 'correlationId'],
  ['correlationId too long', job({ correlationId: 'ä'.repeat(128) }), 400, 'correlationId'],
  [
    'correlationId with half a surrogate pair',
    job({ correlationId: '\ud800' }),
    400,
    'correlationId',
  ],
  ['headers as array', withHeaders([]), 400, 'headers'],
  ['headers as text', job({ headers: 'x' }), 400, 'headers'],
  [
    '31 headers',
    withHeaders(Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`h${i}`, i]))),
    400,
    'headers',
  ],
  ['a header of the kit', withHeaders({ 'x-attempt': 0 }), 400, 'headers.x-attempt'],
  ['a header of the broker', withHeaders({ 'X-Death': 'x' }), 400, 'headers.X-Death'],
  ['CC', withHeaders({ CC: 'other.queue' }), 400, 'headers.CC'],
  ['BCC', withHeaders({ bcc: 'other.queue' }), 400, 'headers.bcc'],
  ['traceparent', withHeaders({ traceparent: '00-1' }), 400, 'headers.traceparent'],
  ['a header named constructor', withHeaders({ constructor: 'x' }), 400, 'headers.constructor'],
  ['a header without a name', withHeaders({ '': 'x' }), 400, 'headers.'],
  [
    'a header with a long name',
    withHeaders({ ['n'.repeat(101)]: 1 }),
    400,
    `headers.${'n'.repeat(100)}`,
  ],
  ['a header with a long value', withHeaders({ a: 'v'.repeat(1_025) }), 400, 'headers.a'],
  ['a header with half a surrogate pair', withHeaders({ a: '\udfff' }), 400, 'headers.a'],
  [
    'a header that picks its wire type',
    withHeaders({ a: { '!': 'timestamp', value: 'boom' } }),
    400,
    'headers.a',
  ],
  ['a header that is null', withHeaders({ a: null }), 400, 'headers.a'],
  ['a header that is an array', withHeaders({ a: [1] }), 400, 'headers.a'],
  [
    'a header number that JSON reads as infinite',
    spliced('"headers":{"a":1e999}'),
    400,
    'headers.a',
  ],
  ['__proto__ beside type', spliced('"__proto__":{"polluted":true}'), 400, '__proto__'],
  ['__proto__ escaped', spliced('"\\u005f\\u005fproto__":{"polluted":true}'), 400, '__proto__'],
  ['__proto__ partly escaped', spliced('"_\\u005Fproto\\u005f_":1'), 400, '__proto__'],
  [
    '__proto__ in headers',
    spliced('"headers":{"__proto__":{"x-attempt":0}}'),
    400,
    'headers.__proto__',
  ],
  [
    '__proto__ in the payload',
    '{"type":"email.send","payload":{"a":[{"__proto__":1}]}}',
    400,
    'payload.a.0.__proto__',
  ],
  ['a body over the limit', job({ payload: 'p'.repeat(BODY_LIMIT_BYTES) }), 413, 'body'],
];

describe('a body that cannot be accepted', () => {
  it.each(BODIES)('%s', async (_name, body, status, field) => {
    const answer = await postJob(app.url, body);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const code = status === 413 ? 'PAYLOAD_TOO_LARGE' : 'BAD_REQUEST';
    expect(answer.body).toMatchObject({ code, status });
    expect(answer.body.type).toBe(`urn:warren:error:${code.toLowerCase().replaceAll('_', '-')}`);
    expect(answer.body.errors?.map((error) => error.field)).toContain(field);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(app.accepted).toEqual([]);
  });

  it('names every wrong field at once', async () => {
    const { body } = await postJob(app.url, { type: 7, payload: 1, id: 'x', nope: 1 });
    expect(body.errors?.map(({ field }) => field).sort()).toEqual(['id', 'nope', 'type']);
  });
});

const REQUEST_HEADERS: [string, Record<string, string>, number, string][] = [
  ['text/plain', { 'content-type': 'text/plain' }, 415, 'content-type'],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'content-type'],
  ['a media type that is none', { 'content-type': 'json' }, 415, 'content-type'],
  ['latin1', { 'content-type': 'application/json; charset=iso-8859-1' }, 415, 'content-type'],
  ['utf-16', { 'content-type': 'application/json; charset=utf-16' }, 415, 'content-type'],
  ['gzip', { 'content-encoding': 'gzip' }, 415, 'content-encoding'],
  ['an idempotency key', { 'Idempotency-Key': 'order-17' }, 400, 'idempotency-key'],
];

describe('request headers', () => {
  it.each(REQUEST_HEADERS)('%s is refused', async (_name, headers, status, field) => {
    const answer = await postJob(app.url, json, headers);
    expect(answer.status).toBe(status);
    expect(answer.body.errors?.[0]?.field).toBe(field);
    expect(app.accepted).toEqual([]);
  });

  it.each(['application/json;charset=UTF-8', 'Application/JSON; charset="utf-8"'])(
    '%s is taken',
    async (type) => {
      expect((await postJob(app.url, json, { 'content-type': type })).status).toBe(202);
      app.accepted.length = 0;
    },
  );
});

describe('what is not there', () => {
  it('answers unknown paths with 404', async () => {
    const answer = await postJob(app.url, json, {}, '/v1/job');
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      code: 'NOT_FOUND',
      detail: 'no such resource: /v1/job (what there is: /docs)',
    });
  });

  it.each(['/', '/v1', '/v1/job'])('says at %s where the API is described', async (path) => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(404);
    expect(response.headers.get('link')).toBe(
      '</openapi.json>; rel="service-desc", </docs>; rel="service-doc"',
    );
    expect(((await response.json()) as { detail: string }).detail).toBe(
      `no such resource: ${path} (what there is: /docs)`,
    );
  });

  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'])(
    'answers %s with 405 and Allow',
    async (method) => {
      const response = await fetch(`${app.url}/v1/jobs/bulk`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST, OPTIONS');
      const body = await response.text();
      if (method === 'HEAD') expect(body).toBe('');
      else {
        expect(JSON.parse(body)).toMatchObject({
          code: 'METHOD_NOT_ALLOWED',
          type: 'urn:warren:error:method-not-allowed',
          title: 'The resource does not take this method',
          status: 405,
        });
      }
    },
  );

  it('answers a broken escape in the path with 400 or 404, not 500', async () => {
    const response = await fetch(`${app.url}/v1/%E0%A4%A`);
    expect([400, 404]).toContain(response.status);
  });

  it('refuses options in the query, naming them', async () => {
    const answer = await postJob(app.url, json, {}, '/v1/jobs?delay=5s&__proto__=1');
    expect(answer.status).toBe(400);
    expect(answer.body.errors?.map(({ field }) => field)).toContain('query.delay');
  });

  it('sets the headers that keep browsers careful and none that names the software', async () => {
    const { headers } = await fetch(`${app.url}/healthz`);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  });
});
