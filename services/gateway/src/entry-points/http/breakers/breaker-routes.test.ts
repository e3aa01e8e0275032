import { ConfigInvalidError } from '@warren/contracts';
import { afterEach, expect, it } from 'vitest';
import type { BreakerDesk } from '../../../domain/breakers/breaker-desk.ts';
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
  const route = path.replace(/(breakers\/).*/, '$1{name}');
  expect(await documentedAnswers(app.url, route, method.toLowerCase())).toContain(got);
  return [response.status, body];
}

it('shows circuits, and holds breakers', async () => {
  const held: unknown[] = [];
  const where = { state: 'open', sinceMs: 1_800_000_000_000 } as const;
  const breakers: BreakerDesk = {
    circuits: async () => [
      {
        breaker: 'smtp',
        queues: ['email.send'],
        ...where,
        override: 'open',
        trialAtMs: 1_800_000_010_000,
        workers: [{ worker: 'w', ...where, trialAtMs: 1_800_000_010_000 }],
      },
    ],
    hold: async (...change) => {
      if (change[0] === 'No') throw new ConfigInvalidError('breaker', 'a name is …');
      held.push(change);
    },
  };
  app = await runApp({ breakers });
  const since = '2027-01-15T08:00:00.000Z';
  const nextTrial = '2027-01-15T08:00:10.000Z';
  const workers = [{ worker: 'w', state: 'open', since, nextTrial }];
  expect(await call('GET', '/v1/breakers')).toEqual([
    200,
    {
      breakers: [
        {
          name: 'smtp',
          queues: ['email.send'],
          state: 'open',
          override: 'open',
          since,
          nextTrial,
          workers,
        },
      ],
    },
  ]);
  const put = (body: unknown, name = 'smtp') => call('PUT', `/v1/breakers/${name}`, body);
  expect(await put({ state: 'open' })).toEqual([200, { name: 'smtp', override: 'open' }]);
  expect(await put({ state: 'auto' })).toEqual([200, { name: 'smtp' }]);
  for (const [body, field] of [
    [{ state: 'ajar' }, 'state'],
    [{}, 'state'],
    [null, 'state'],
    [{ state: 'open', forever: true }, 'forever'],
  ] as const) {
    expect(await put(body)).toMatchObject([400, { code: 'BAD_REQUEST', errors: [{ field }] }]);
  }
  expect(await put({ state: 'open' }, 'No')).toMatchObject([
    400,
    { errors: [{ field: 'breaker' }] },
  ]);
  expect(held).toEqual([
    ['smtp', 'open', expect.stringMatching(/^http /)],
    ['smtp', undefined, expect.any(String)],
  ]);
});

it('says that there is no store', async () => {
  app = await runApp();
  expect(await call('GET', '/v1/breakers')).toMatchObject([501, { code: 'STORE_MISSING' }]);
});
