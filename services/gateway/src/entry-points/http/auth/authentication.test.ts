import { newApiKey } from '@warren/runtime';
import { createMetrics } from '@warren/telemetry';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { QueueDesk } from '../../../domain/queues/queue-desk.ts';
import { GOOD_JOB } from '../../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';
import { type KnownKey, knownKey } from '../../../fixtures/some-keys.ts';
import { accessOf, routesWithAccess } from './route-access.ts';

const KEYS = {
  publish: knownKey('shop', 'publish'),
  read: knownKey('board', 'read'),
  admin: knownKey('ops', 'admin'),
};
const keys = Object.values(KEYS).map(({ known }) => known);
const metrics = createMetrics({ service: 'gateway', version: '0' });
const JSON_TYPE = { 'content-type': 'application/json' };

let app: RunningApp;
beforeEach(async () => {
  app = await runApp({ keys, metrics });
});
afterEach(() => app.stop());

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly code?: string; readonly detail?: string };
}

async function call(path: string, init: RequestInit & { by?: KnownKey } = {}): Promise<Answer> {
  const { by, headers, ...rest } = init;
  const response = await fetch(`${app.url}${path}`, {
    ...rest,
    headers: { ...(headers as Record<string, string>), ...by?.headers },
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : {},
  };
}

const post = (path: string, by?: KnownKey, headers: Record<string, string> = {}) =>
  call(path, {
    method: 'POST',
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify(GOOD_JOB),
    ...(by && { by }),
  });

/** Without express, and with it. */
const BOTH_WAYS = ['/v1/jobs', '/v1/jobs/'];

describe.each(BOTH_WAYS)('a job posted to %s', (path) => {
  it('is taken with a key that may publish', async () => {
    for (const by of [KEYS.publish, KEYS.admin]) expect((await post(path, by)).status).toBe(202);
    expect(app.accepted).toHaveLength(2);
  });

  it('is refused without a key, with a challenge, before anybody looks at it', async () => {
    const { status, headers, body } = await post(path);
    expect([status, body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="warren"');
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    const noJson = await call(path, { method: 'POST', body: 'x' });
    expect(noJson.status).toBe(401);
    expect(app.accepted).toEqual([]);
  });

  it('is refused with a key that nobody knows, or that may not publish', async () => {
    const stranger = { authorization: `Bearer ${newApiKey('shop', ['admin']).key}` };
    const unknown = await post(path, undefined, stranger);
    expect([unknown.status, unknown.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect(unknown.headers.get('www-authenticate')).toContain('error="invalid_token"');
    const reader = await post(path, KEYS.read);
    expect([reader.status, reader.body.code]).toEqual([403, 'SCOPE_MISSING']);
    expect(reader.body.detail).toBe('the key board does not have the scope publish');
    expect(reader.headers.get('www-authenticate')).toBe(
      'Bearer realm="warren", error="insufficient_scope", scope="publish"',
    );
    expect(app.accepted).toEqual([]);
  });

  it('is logged with the name of its key, never with the key', async () => {
    await post(path, KEYS.publish);
    await post(path, KEYS.read);
    await expect.poll(() => app.log()).toMatch(/"status":202.*"caller":"shop"/);
    await expect.poll(() => app.log()).toMatch(/"status":403.*"caller":"board"/);
    for (const { key, known } of Object.values(KEYS)) {
      expect(app.log()).not.toContain(key);
      expect(app.log()).not.toContain(known.hash.toString('hex'));
    }
  });
});

describe('who may use a route', () => {
  it('is said of each route, and of no other', async () => {
    const { paths } = (await (await fetch(`${app.url}/openapi.json`)).json()) as Document;
    const served = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect(served.sort()).toEqual(routesWithAccess().sort());
  });

  it('is an operator where something is changed, but by publishing, and anybody only where no job is shown', () => {
    const open = ['/healthz', '/readyz', '/openapi.json', '/docs', '/docs/:file'];
    const publishing = ['/v1/jobs', '/v1/jobs/bulk', '/v1/events'];
    for (const name of routesWithAccess()) {
      const [method = '', path = ''] = name.split(' ');
      const shows = open.includes(path) ? 'open' : 'read';
      const changes = method === 'POST' && publishing.includes(path) ? 'publish' : 'admin';
      const access = accessOf({ method: method.toLowerCase() as 'get', path });
      expect(access, name).toBe(method === 'GET' ? shows : changes);
    }
  });

  it('must be said: a route that the table does not have is not served', () => {
    const route = { method: 'get', path: '/v1/secrets' } as const;
    expect(() => accessOf(route)).toThrow('GET /v1/secrets has no scope');
    expect(() => accessOf({ ...route, path: '/v1/jobs/' })).toThrow('has no scope');
  });

  it.each(routesWithAccess())('%s is asked for what the table says', async (name) => {
    const [method = '', path = ''] = name.split(' ');
    const access = accessOf({ method: method.toLowerCase() as 'get', path });
    const address = path.replace(':file', 'start.js').replaceAll(/:\w+/g, 'x');
    if (access === 'open') {
      expect((await call(address, { method })).status).toBe(200);
      return;
    }
    expect((await call(address, { method })).status).toBe(401);
    for (const [scope, by] of Object.entries(KEYS)) {
      const may = scope === access || scope === 'admin';
      const { status } = await call(address, { method, by });
      if (may) expect([401, 403], `${scope}: ${status}`).not.toContain(status);
      else expect(status, scope).toBe(403);
    }
  });

  it.each([
    ['HEAD', '/v1/queues', 403],
    ['HEAD', '/healthz', 200],
    ['PATCH', '/v1/jobs', 405],
    ['OPTIONS', '/v1/jobs', 204],
    ['GET', '/v1/nothing', 404],
    ['GET', '/V1/Queues/', 403],
    ['GET', '/v1//queues', 404],
    ['GET', '/v1/jobs?token=x', 403],
  ])('%s %s needs a key too, unless anybody may ask', async (method, path, status) => {
    expect((await call(path, { method })).status).toBe(status === 200 ? 200 : 401);
    expect((await call(path, { method, by: KEYS.publish })).status).toBe(status);
  });

  it('no key is taken from an address or a cookie', async () => {
    const { key } = KEYS.admin;
    for (const address of [`/v1/queues?key=${key}`, `/v1/queues?access_token=${key}`]) {
      expect((await call(address)).status).toBe(401);
    }
    expect((await call('/v1/queues', { headers: { cookie: `key=${key}` } })).status).toBe(401);
    expect(app.log()).not.toContain(key);
  });
});

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly security: unknown; responses: object }>>>
  >;
}

describe('the audit', () => {
  const told: string[] = [];
  const queues = {
    setPaused: async (_queue: string, _isPaused: boolean, by: string) => void told.push(by),
  } as unknown as QueueDesk;
  const pause = { method: 'POST' };

  it('is told the name of the key, and the address', async () => {
    await app.stop();
    app = await runApp({ keys, queues });
    await call('/v1/queues/email.send/pause', { ...pause, by: KEYS.admin });
    expect(told.splice(0)).toEqual(['ops (http 127.0.0.1)']);
  });

  it('is told the address alone where there are no keys, whatever a caller sends', async () => {
    await app.stop();
    app = await runApp({ queues });
    await call('/v1/queues/email.send/pause', { ...pause, by: KEYS.admin });
    expect(told.splice(0)).toEqual(['http 127.0.0.1']);
  });
});

describe('with a rate for each key', () => {
  const keyRate = { intervalMs: 60_000, burst: 2 };

  it('what is over it is answered 429 with the seconds to wait, by name, on all routes together', async () => {
    const next = knownKey('shop', 'publish', 'read');
    await app.stop();
    app = await runApp({ keys: [...keys, next.known], keyRate });
    expect((await post('/v1/jobs', KEYS.publish)).status).toBe(202);
    expect((await post('/v1/jobs/', next)).status).toBe(202);
    for (const path of BOTH_WAYS) {
      const { status, headers, body } = await post(path, KEYS.publish);
      expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
      expect(headers.get('retry-after')).toBe('60');
    }
    expect((await call('/v1/queues', { by: next })).status).toBe(429);
    expect((await call('/healthz', { by: next })).status).toBe(200);
    expect((await post('/v1/jobs', KEYS.admin)).status).toBe(202);
    expect(app.accepted).toHaveLength(3);
  });
});

describe('the document', () => {
  const operation = async (path: string, method: string) =>
    ((await (await fetch(`${app.url}/openapi.json`)).json()) as Document).paths[path]?.[method];

  it('says which scope an operation needs, and what is answered without', async () => {
    expect(await operation('/v1/jobs', 'post')).toMatchObject({
      description: expect.stringContaining('Scope: `publish`.'),
      security: [{ ApiKey: ['publish'] }],
      responses: { 401: {}, 403: {} },
    });
    expect((await operation('/v1/jobs', 'post'))?.responses).not.toHaveProperty('429');
    expect(await operation('/v1/events-stream', 'get')).toMatchObject({
      security: [{ ApiKey: ['read'] }],
    });
    const open = await operation('/healthz', 'get');
    expect(open?.security).toEqual([]);
    expect(open?.responses).not.toHaveProperty('401');
  });

  it('says so of rates where there is one', async () => {
    await app.stop();
    app = await runApp({ keys, keyRate: { intervalMs: 1, burst: 1 } });
    expect(await operation('/v1/jobs', 'post')).toMatchObject({
      responses: { 429: { headers: { 'Retry-After': {} } } },
    });
  });

  it('says that it goes without where there are no keys', async () => {
    await app.stop();
    app = await runApp();
    const one = await operation('/v1/jobs', 'post');
    expect(one?.security).toEqual([{ ApiKey: ['publish'] }, {}]);
    expect(one?.responses).not.toHaveProperty('401');
  });
});
