import { LockHeldError } from '@warren/contracts';
import { afterEach, expect, it } from 'vitest';
import type { RunDesk, RunRequest } from '../../../domain/dead-letters/run-desk.ts';
import { anyRun, anyRuns } from '../../../fixtures/any-letters.ts';
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
  const route = path
    .replace(/dead-letters\/[^/]+/, 'dead-letters/{queue}')
    .replace(/replays\/[^/?]+/, 'replays/{id}')
    .replace(/\?.*/, '');
  expect(await documentedAnswers(app.url, route, method.toLowerCase())).toContain(got);
  return { status: response.status, body, location: response.headers.get('location') };
}

it('begins what is asked for, and says where it can be followed', async () => {
  const asked: [RunRequest, string][] = [];
  const start: RunDesk['start'] = async (...request) => {
    asked.push(request);
    return anyRun;
  };
  app = await runApp({ runs: { ...anyRuns, start } });
  const selection = { errors: ['EBOX'], since: '2027-01-15T08:00:00Z', headers: { tenant: 'a' } };
  const sent = {
    queue: 'email.send',
    selection,
    rate: 50,
    canary: 10,
    reason: 'it is back',
    to: 'a.b',
  };
  const { status, body, location } = await call('POST', '/v1/replays', sent);
  expect({ status, location }).toEqual({ status: 202, location: '/v1/replays/run-1' });
  expect(body).toMatchObject({ id: 'run-1', state: 'running', chosen: 3, done: 1 });
  const discard = { all: true, reason: 'test data', limit: 5 };
  expect(await call('POST', '/v1/dead-letters/email.send/discard', discard)).toMatchObject({
    status: 202,
  });
  expect(asked).toEqual([
    [
      {
        kind: 'replay',
        queue: 'email.send',
        reason: 'it is back',
        selection: { errors: ['EBOX'], headers: { tenant: 'a' }, sinceMs: 1_800_000_000_000 },
        settings: { ratePerSecond: 50, canary: 10, maxReplays: 10, to: 'a.b' },
      },
      expect.stringMatching(/^http /),
    ],
    [
      {
        kind: 'discard',
        queue: 'email.send',
        reason: 'test data',
        selection: {},
        settings: { limit: 5 },
      },
      expect.any(String),
    ],
  ]);
});

it('tells what a dry run would do, and begins nothing', async () => {
  const start = () => Promise.reject(new Error('begun'));
  app = await runApp({ runs: { ...anyRuns, start } });
  const sent = { queue: 'email.send', dryRun: true };
  expect(await call('POST', '/v1/replays', sent)).toMatchObject({
    status: 200,
    body: { dryRun: true, taken: 0 },
  });
});

it.each([
  ['/v1/replays', {}, 'queue'],
  ['/v1/replays', null, 'body'],
  ['/v1/replays', { queue: 'a', speed: 1 }, 'speed'],
  ['/v1/replays', { queue: 'a', rate: 0 }, 'rate'],
  ['/v1/replays', { queue: 'a', selection: { ids: [] } }, 'selection.ids'],
  ['/v1/replays', { queue: 'a', selection: { ids: [7] } }, 'selection.ids.0'],
  ['/v1/replays', { queue: 'a', selection: { colour: 'red' } }, 'selection.colour'],
  ['/v1/replays', { queue: 'a', selection: { since: '2h' } }, 'selection.since'],
  ['/v1/replays', { queue: 'a', selection: { fingerprints: ['x'] } }, 'selection.fingerprints.0'],
  ['/v1/replays', { queue: 'a', to: '' }, 'to'],
  ['/v1/replays', { queue: 'a', edit: [1] }, 'edit'],
  ['/v1/replays/x/resume', { rate: 5 }, 'rate'],
  ['/v1/replays', { queue: 'a', canaryWaitSeconds: 5 }, 'canaryWaitSeconds'],
  ['/v1/replays', { queue: 'a', force: true, maxReplays: 3 }, 'force'],
  ['/v1/dead-letters/a/discard', { all: true }, 'reason'],
  ['/v1/dead-letters/a/discard', { all: true, reason: ' ' }, 'reason'],
  ['/v1/dead-letters/a/discard', { reason: 'x' }, 'selection'],
  ['/v1/dead-letters/a/discard', { reason: 'x', all: true, selection: { ids: ['1'] } }, 'all'],
])('POST %s refuses %j by the name of the field: %s', async (path, sent, field) => {
  app = await runApp({ runs: anyRuns });
  expect(await call('POST', path, sent)).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', errors: [{ field }] },
  });
});

it('shows, lists, stops and resumes', async () => {
  const done: string[] = [];
  const change = (word: string) => async (id: string) => {
    done.push(`${word} ${id}`);
    return { kind: 'done', run: anyRun } as const;
  };
  app = await runApp({ runs: { ...anyRuns, stop: change('stop'), resume: change('resume') } });
  expect(await call('GET', '/v1/replays/run-1')).toMatchObject({
    body: { id: 'run-1', by: 'http ::1', begunAt: '2027-01-15T08:00:00.000Z', stopAsked: false },
  });
  expect(await call('GET', '/v1/replays?limit=1')).toMatchObject({
    body: { replays: [{ id: 'run-1' }] },
  });
  expect(await call('DELETE', '/v1/replays/run-1')).toMatchObject({ status: 202 });
  expect(await call('POST', '/v1/replays/run-2/resume')).toMatchObject({ status: 202 });
  expect(done).toEqual(['stop run-1', 'resume run-2']);
});

it('says what stands in the way', async () => {
  const conflict = async () => ({ kind: 'conflict', run: anyRun }) as const;
  const missing = async () => ({ kind: 'missing' }) as const;
  const start = () => Promise.reject(new LockHeldError('email.send.dead', 'somebody else'));
  const find = async () => undefined;
  app = await runApp({ runs: { ...anyRuns, start, find, stop: missing, resume: conflict } });
  expect(await call('POST', '/v1/replays', { queue: 'email.send' })).toMatchObject({
    status: 409,
    body: { code: 'LOCK_HELD' },
  });
  expect(await call('GET', '/v1/replays/x')).toMatchObject({ status: 404 });
  expect(await call('DELETE', '/v1/replays/x')).toMatchObject({ status: 404 });
  expect(await call('POST', '/v1/replays/x/resume')).toMatchObject({
    status: 409,
    body: { code: 'RUN_STATE_CONFLICT', detail: expect.stringContaining('running') },
  });
});

it('takes an edit again for one that was begun with it', async () => {
  const resume: RunDesk['resume'] = async (_id, _by, edit) =>
    edit === undefined
      ? { kind: 'refused', field: 'edit', message: 'say it again' }
      : { kind: 'done', run: anyRun };
  app = await runApp({ runs: { ...anyRuns, resume } });
  for (const sent of [undefined, {}]) {
    expect(await call('POST', '/v1/replays/x/resume', sent)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'edit' }] },
    });
  }
  expect(await call('POST', '/v1/replays/x/resume', { edit: { n: 1 } })).toMatchObject({
    status: 202,
  });
});

it('says that there is no store', async () => {
  app = await runApp();
  for (const path of ['/v1/replays', '/v1/replays/x']) {
    expect(await call('GET', path)).toMatchObject({ status: 501, body: { code: 'STORE_MISSING' } });
  }
});
