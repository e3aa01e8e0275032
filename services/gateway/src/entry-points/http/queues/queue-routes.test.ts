import { BrokerUnavailableError, QueueMissingError } from '@warren/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import type { QueueDesk } from '../../../domain/queues/queue-desk.ts';
import type { QueueReport } from '../../../domain/queues/queue-report.ts';
import { documentedAnswers } from '../../../fixtures/documented.ts';
import { fakeReader, jobRecord } from '../../../fixtures/fake-reader.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';

let app: RunningApp;
afterEach(() => app.stop());

async function call(method: string, path: string, route: string, sent?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const withBody = sent !== undefined && { headers, body: JSON.stringify(sent) };
  const response = await fetch(`${app.url}${path}`, { method, ...withBody });
  const body = (await response.json()) as { code?: string };
  const got = body.code === undefined ? `${response.status}` : `${response.status} ${body.code}`;
  expect(await documentedAnswers(app.url, route, method.toLowerCase())).toContain(got);
  return [response.status, body.code ?? body];
}

const REPORT: QueueReport = {
  queue: 'a.b',
  health: 'healthy',
  paused: false,
  consumers: 1,
  ready: 0,
  suspects: 0,
  dead: 0,
  jobs: {},
};

describe('/v1/queues', () => {
  it('shows queues, and switches them', async () => {
    const switched: unknown[] = [];
    const queues: QueueDesk = {
      reports: async () => [REPORT, { ...REPORT, queue: 'c.d', health: 'degraded' }],
      report: async (queue) => {
        if (queue !== 'a.b') throw new QueueMissingError(queue);
        return REPORT;
      },
      setPaused: async (...change) => void switched.push(change),
      setCounts: async (...change) => void switched.push(change),
    };
    app = await runApp({ queues });
    const [, all] = await call('GET', '/v1/queues', '/v1/queues');
    expect(all).toMatchObject({ health: 'degraded', queues: [{ queue: 'a.b' }, { queue: 'c.d' }] });
    const one = '/v1/queues/{queue}';
    expect(await call('GET', '/v1/queues/a.b', one)).toEqual([200, REPORT]);
    expect(await call('GET', '/v1/queues/x', one)).toEqual([404, 'QUEUE_MISSING']);
    for (const [word, paused] of [
      ['pause', true],
      ['resume', false],
    ] as const) {
      const answer = await call('POST', `/v1/queues/a.b/${word}`, `${one}/${word}`);
      expect(answer).toEqual([200, { queue: 'a.b', paused }]);
    }
    expect(switched).toEqual([
      ['a.b', true, expect.stringMatching(/^http .*127\.0\.0\.1$/)],
      ['a.b', false, expect.any(String)],
    ]);
  });

  it('sets how many run at once, and takes it back', async () => {
    const set: unknown[] = [];
    const queues: QueueDesk = {
      reports: async () => [REPORT],
      report: async () => REPORT,
      setPaused: async () => {},
      setCounts: async (queue, counts) => {
        if (queue !== 'a.b') throw new QueueMissingError(queue);
        set.push(counts);
      },
    };
    app = await runApp({ queues });
    const path = '/v1/queues/{queue}/concurrency';
    const put = (body: unknown, queue = 'a.b') =>
      call('PUT', `/v1/queues/${queue}/concurrency`, path, body);
    expect(await put({ concurrency: 8 })).toEqual([200, { queue: 'a.b', set: { concurrency: 8 } }]);
    expect(await call('DELETE', '/v1/queues/a.b/concurrency', path)).toEqual([
      200,
      { queue: 'a.b' },
    ]);
    expect(await put({ concurrency: 8 }, 'x')).toEqual([404, 'QUEUE_MISSING']);
    for (const body of [{ concurrency: 0 }, { concurrency: 'many' }, { speed: 1 }, {}, null, 7]) {
      expect(await put(body)).toEqual([400, 'BAD_REQUEST']);
    }
    const wrong = await fetch(`${app.url}/v1/queues/a.b/concurrency`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"concurrency":3,"prefetch":2}',
    });
    const errors = [{ field: 'prefetch', message: 'at least the concurrency (3)' }];
    expect(await wrong.json()).toMatchObject({ errors });
    expect(set).toEqual([{ concurrency: 8 }, undefined]);
  });

  it('says that there is no store', async () => {
    app = await runApp();
    expect(await call('GET', '/v1/queues', '/v1/queues')).toEqual([501, 'STORE_MISSING']);
  });
});

describe('DELETE /v1/jobs/:id', () => {
  it('asks for the end of what has not ended, up to its generation', async () => {
    const asked: unknown[] = [];
    const jobs = [
      jobRecord({ id: 'runs', state: 'running', generation: 2 }),
      jobRecord({ id: 'over', state: 'succeeded' }),
    ];
    const cancel = async (job: unknown) => void asked.push(job);
    app = await runApp({ reader: fakeReader(jobs), cancel });
    const path = '/v1/jobs/{id}';
    const what = { id: 'runs', queue: 'email.send' };
    expect(await call('DELETE', '/v1/jobs/runs', path)).toEqual([
      202,
      { ...what, state: 'running', cancelling: true },
    ]);
    expect(await call('DELETE', '/v1/jobs/over', path)).toEqual([409, 'JOB_STATE_CONFLICT']);
    expect(await call('DELETE', '/v1/jobs/nobody', path)).toEqual([404, 'NOT_FOUND']);
    expect(asked).toEqual([{ ...what, generation: 2 }]);
  });

  it('says that the request could not be stored', async () => {
    const cancel = () => Promise.reject(new BrokerUnavailableError('refused'));
    app = await runApp({ reader: fakeReader([jobRecord({ id: 'i' })]), cancel });
    const answer = await call('DELETE', '/v1/jobs/i', '/v1/jobs/{id}');
    expect(answer).toEqual([503, 'BROKER_UNAVAILABLE']);
  });
});

describe('POST /v1/jobs/:id/retry', () => {
  it('replays what is dead, and nothing else', async () => {
    const dead = jobRecord({ id: 'dead', state: 'dead' });
    const gone = jobRecord({ id: 'gone', state: 'dead' });
    const jobs = [dead, gone, jobRecord({ id: 'runs', state: 'running' })];
    app = await runApp({
      reader: fakeReader(jobs),
      retry: async ({ id }) =>
        id === 'dead' ? { kind: 'replayed', generation: 1 } : { kind: 'left', problem: 'gone' },
    });
    const retry = (id: string) => call('POST', `/v1/jobs/${id}/retry`, '/v1/jobs/{id}/retry');
    expect(await retry('dead')).toEqual([
      202,
      { id: 'dead', queue: 'email.send', state: 'queued', generation: 1 },
    ]);
    expect(await retry('gone')).toEqual([409, 'JOB_STATE_CONFLICT']);
    expect(await retry('runs')).toEqual([409, 'JOB_STATE_CONFLICT']);
    expect(await retry('nobody')).toEqual([404, 'NOT_FOUND']);
  });
});
