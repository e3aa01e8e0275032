import { BrokerUnavailableError } from '@warren/contracts';
import { afterEach, expect, it } from 'vitest';
import { GOOD_JOB } from '../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../fixtures/running-app.ts';

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const JSON_TYPE = { 'content-type': 'application/json' };

let app: RunningApp;
afterEach(() => app.stop());

/** Of one answer, what does not depend on when it was given. */
async function answerTo(path: string, init: RequestInit) {
  const response = await fetch(`${app.url}${path}`, { method: 'POST', ...init });
  const headers = [...response.headers].filter(([name]) => name !== 'date');
  return { status: response.status, headers, body: await response.text() };
}

/** The same request twice: by the short way, and by express, which a slash at the end leaves it to. */
async function bothWays(init: RequestInit) {
  return [await answerTo('/v1/jobs', init), await answerTo('/v1/jobs/', init)];
}

it.each([
  ['a good job', { body: JSON.stringify({ ...GOOD_JOB, id: ID }), headers: JSON_TYPE }, 202],
  ['broken JSON', { body: '{"type":', headers: JSON_TYPE }, 400],
  [
    'an unknown option',
    { body: JSON.stringify({ ...GOOD_JOB, dealy: '5s' }), headers: JSON_TYPE },
    400,
  ],
  [
    'a key that is not understood',
    { body: JSON.stringify(GOOD_JOB), headers: { ...JSON_TYPE, 'idempotency-key': 'k' } },
    400,
  ],
  ['another media type', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415],
  ['a body over the limit', { body: 'x'.repeat(100_000), headers: JSON_TYPE }, 413],
  ['no body', { headers: JSON_TYPE }, 400],
] as const)('answers %s as express would', async (_what, init, status) => {
  app = await runApp();
  const [short, byExpress] = await bothWays(init);
  expect(short).toEqual(byExpress);
  expect(short?.status).toBe(status);
  expect(new Headers(short?.headers).get('content-security-policy')).toContain(
    "default-src 'self'",
  );
});

it.each([
  [new BrokerUnavailableError('gone'), 503],
  [new Error('a secret'), 500],
])('answers %s as express would', async (error, status) => {
  app = await runApp({}, () => Promise.reject(error));
  const [short, byExpress] = await bothWays({ body: JSON.stringify(GOOD_JOB), headers: JSON_TYPE });
  expect(short).toEqual(byExpress);
  expect(short?.status).toBe(status);
  expect(short?.body).not.toContain('secret');
});

it('is refused while the gateway stops, and logged, as any other request', async () => {
  const stopping = new AbortController();
  app = await runApp({ stopping: stopping.signal });
  await answerTo('/v1/jobs', { body: JSON.stringify({ ...GOOD_JOB, id: ID }), headers: JSON_TYPE });
  await expect.poll(() => app.log()).toContain(`"path":"/v1/jobs","status":202`);
  expect(app.log()).toContain(`"job_id":"${ID}"`);
  stopping.abort();
  const [short, byExpress] = await bothWays({ body: JSON.stringify(GOOD_JOB), headers: JSON_TYPE });
  expect(short).toEqual(byExpress);
  expect(short?.status).toBe(503);
});
