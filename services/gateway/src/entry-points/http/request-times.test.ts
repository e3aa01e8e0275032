import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Gate, metricValue } from '@warren/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { HistoryHub } from '../../domain/live/history-hub.ts';
import { fakeReader, jobRecord } from '../../fixtures/fake-reader.ts';
import { GOOD_JOB } from '../../fixtures/post-job.ts';
import { type RunningApp, runApp } from '../../fixtures/running-app.ts';

const NAME = 'jobs_http_request_duration_seconds';
const JSON_TYPE = { 'content-type': 'application/json' };
const job = jobRecord();

let app: RunningApp;
afterEach(() => app.stop());

/** By a client that takes any method. */
async function ask(method: string, path: string): Promise<void> {
  const [answer] = (await once(
    request(`${app.url}${path}`, { method, agent: false }).end(),
    'response',
  )) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
}

const post = (path: string, body: object = GOOD_JOB, signal?: AbortSignal): Promise<Response> =>
  fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/** How many were timed as this: an answer is there a moment before it is closed. */
const timed = (method: string, route: string, status_class: string, count = 1): Promise<void> =>
  vi.waitFor(async () => {
    const labels = { method, route, status_class };
    expect(await metricValue(app.metrics, `${NAME}_count`, labels)).toBe(count);
  });

const allTimed = () => metricValue(app.metrics, `${NAME}_count`);

const seriesCount = async (): Promise<number> =>
  (await app.metrics.text()).split('\n').filter((line) => line.startsWith(NAME)).length;

it('the hottest route is timed as others are, whichever way it is taken', async () => {
  app = await runApp();
  await post('/v1/jobs');
  await post('/v1/jobs', { type: 'no.such' });
  await post('/v1/jobs/');
  await timed('POST', '/v1/jobs', '2xx', 2);
  await timed('POST', '/v1/jobs', '4xx');
});

it('a path is timed by its route, not by what stands in it', async () => {
  app = await runApp({ reader: fakeReader([job]) });
  await fetch(`${app.url}/v1/jobs/${job.id}`);
  await fetch(`${app.url}/v1/jobs/0198c0de-0000-7000-8000-00000000dead`);
  await ask('HEAD', '/v1/jobs');
  await timed('GET', '/v1/jobs/:id', '2xx');
  await timed('GET', '/v1/jobs/:id', '4xx');
  await timed('HEAD', '/v1/jobs', '2xx');
});

it('what fails is told from what is refused', async () => {
  app = await runApp({}, () => Promise.reject(new Error('broken')));
  await post('/v1/jobs');
  await timed('POST', '/v1/jobs', '5xx');
});

it('a client that leaves before its answer was not answered', async () => {
  const [asked, leaves] = [new Gate(), new AbortController()];
  const answered = new Gate();
  app = await runApp({}, async ({ id }) => {
    asked.open();
    await answered.opened;
    return { id };
  });
  const left = post('/v1/jobs', GOOD_JOB, leaves.signal).catch(() => 'left');
  await asked.opened;
  leaves.abort();
  expect(await left).toBe('left');
  await timed('POST', '/v1/jobs', 'none');
  answered.open();
});

it('what is refused while the gateway stops is timed as the route that it was for', async () => {
  app = await runApp({ reader: fakeReader([job]), stopping: AbortSignal.abort() });
  await post('/v1/jobs');
  await post('/v1/jobs/');
  await ask('GET', `/v1/jobs/${job.id}`);
  await ask('HEAD', '/v1/jobs');
  await ask('PATCH', '/v1/jobs');
  await ask('GET', '/v1/no-such');
  await timed('POST', '/v1/jobs', '5xx', 2);
  await timed('GET', '/v1/jobs/:id', '5xx');
  await timed('HEAD', '/v1/jobs', '5xx');
  await timed('other', '/v1/jobs', '5xx');
  await timed('GET', 'other', '5xx');
});

it('whatever clients ask for, paths and methods are of a closed set', async () => {
  app = await runApp();
  await ask('GET', '/no-such-0');
  await ask('PURGE', '/no-such-0');
  await ask('PATCH', '/v1/jobs');
  const before = await seriesCount();
  for (let n = 1; n < 20; n += 1) await ask('GET', `/no-such-${n}`);
  for (const method of ['PROPFIND', 'M-SEARCH', 'LOCK', 'OPTIONS']) await ask(method, '/what');
  for (const method of ['PROPFIND', 'LOCK', 'TRACE']) await ask(method, '/v1/jobs');
  await timed('GET', 'other', '4xx', 20);
  await timed('other', 'other', '4xx', 5);
  await timed('other', '/v1/jobs', '4xx', 4);
  expect(await seriesCount()).toBe(before);
});

it('the answers and failures of each route begin at 0, in few enough series', async () => {
  app = await runApp();
  expect(await allTimed()).toBe(0);
  const text = await app.metrics.text();
  for (const path of app.paths()) {
    for (const status of ['2xx', '5xx']) {
      expect(text).toContain(
        `${NAME}_count{method="POST",route="/v1/jobs",status_class="${status}"} 0`,
      );
      expect(text).toMatch(new RegExp(`route="${path}",status_class="${status}"} 0`));
    }
  }
  expect(await seriesCount()).toBeLessThan(1_500);
});

it('events that are followed, and waiting for a job, are timed until they wait', async () => {
  const hub = new HistoryHub(
    { open: () => ({ problem: undefined, close: async () => {} }) },
    /* seats */ 2,
  );
  app = await runApp({ reader: fakeReader([job]), hub });
  const leaves = new AbortController();
  const follow = (path: string) => fetch(`${app.url}${path}`, { signal: leaves.signal });
  const stream = await follow('/v1/events-stream');
  const waits = follow(`/v1/jobs/${job.id}?wait=60s`).catch(() => 'left');
  await timed('GET', '/v1/events-stream', '2xx');
  await timed('GET', '/v1/jobs/:id', '2xx');
  expect((await follow('/v1/events-stream')).status).toBe(503);
  await timed('GET', '/v1/events-stream', '5xx');
  leaves.abort();
  await Promise.all([waits, stream.body?.cancel().catch(() => undefined)]);
  await vi.waitFor(() => hub.seat()());
  expect(await allTimed()).toBe(3);
});
