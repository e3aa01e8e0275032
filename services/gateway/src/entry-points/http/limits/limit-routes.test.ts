import { LimitMissingError } from '@warren/contracts';
import { afterEach, expect, it } from 'vitest';
import type { LimitDesk } from '../../../domain/limits/limit-desk.ts';
import { documentedAnswers } from '../../../fixtures/documented.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';

let app: RunningApp;
afterEach(() => app.stop());

async function call(method: string, path: string, sent?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const withBody = sent !== undefined && { headers, body: JSON.stringify(sent) };
  const response = await fetch(`${app.url}${path}`, { method, ...withBody });
  const body = (await response.json()) as { code?: string };
  const got = body.code === undefined ? `${response.status}` : `${response.status} ${body.code}`;
  const route = path.replace(/(limits\/).*/, '$1{name}');
  expect(await documentedAnswers(app.url, route, method.toLowerCase())).toContain(got);
  return [response.status, body];
}

const rule = { rate: 60, per: '1m', burst: 1 } as const;
const key = { key: 'acme', burst: 1, left: 0, freeInMs: 900, putOffMs: 0 };

it('shows limits, sets them, and takes that back', async () => {
  const set: unknown[] = [];
  const limits: LimitDesk = {
    limits: async () => [
      {
        name: 'crm',
        scope: 'global',
        queues: ['crm.sync'],
        by: 'tenant',
        ownRates: false,
        rule,
        source: 'code',
        definitions: [{ rule, source: 'code', workers: 1 }],
        use: { name: 'crm', keys: 1, busiest: [key] },
      },
    ],
    async set(...change) {
      if (change[0] !== 'crm') throw new LimitMissingError(change[0]);
      set.push(change);
    },
  };
  app = await runApp({ limits });
  expect(await call('GET', '/v1/limits')).toMatchObject([
    200,
    { limits: [{ name: 'crm', rule, source: 'code', use: { keys: 1, busiest: [key] } }] },
  ]);
  const put = (body: unknown, name = 'crm') => call('PUT', `/v1/limits/${name}`, body);
  const half = { rate: 30, per: '1m' };
  expect(await put(half)).toEqual([200, { name: 'crm', set: half }]);
  expect(await call('DELETE', '/v1/limits/crm')).toEqual([200, { name: 'crm' }]);
  for (const [body, field] of [
    [{ rate: 0, per: '1m' }, 'rate'],
    [{ rate: -5, per: '1m' }, 'rate'],
    [{ rate: 5, per: '1 fortnight' }, 'per'],
    [{ rate: 5 }, 'per'],
    [{ ...half, burst: 0.5 }, 'burst'],
    [{ ...half, scope: 'process' }, 'scope'],
    [[], 'body'],
  ] as const) {
    expect(await put(body)).toMatchObject([400, { code: 'BAD_REQUEST', errors: [{ field }] }]);
  }
  const missing = { code: 'LIMIT_MISSING', detail: expect.stringContaining('"crn"') };
  expect(await put(half, 'crn')).toMatchObject([404, missing]);
  expect(await call('DELETE', '/v1/limits/crn')).toMatchObject([404, missing]);
  expect(set).toEqual([
    ['crm', half, expect.stringMatching(/^http /)],
    ['crm', undefined, expect.any(String)],
  ]);
});

it('says that there is no store', async () => {
  app = await runApp();
  expect(await call('GET', '/v1/limits')).toMatchObject([501, { code: 'STORE_MISSING' }]);
});
