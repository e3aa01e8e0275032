import { CursorInvalidError, StoreUnavailableError } from '@warren/contracts';
import type { JobFilter, JobReader } from '@warren/store';
import { afterEach, describe, expect, it } from 'vitest';
import { documentedAnswers } from '../../../fixtures/documented.ts';
import { fakeReader, jobRecord } from '../../../fixtures/fake-reader.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';

let app: RunningApp;
afterEach(() => app.stop());

/** An answer; throws when the document does not list it. */
async function get(path: string, route: string) {
  const response = await fetch(`${app.url}${path}`);
  const body = (await response.json()) as Record<string, unknown> & { code?: string };
  const got = body.code === undefined ? `${response.status}` : `${response.status} ${body.code}`;
  expect(await documentedAnswers(app.url, route, 'get')).toContain(got);
  return { status: response.status, code: body.code, body, headers: response.headers };
}

const serve = async (reader: JobReader | undefined): Promise<void> => {
  app = await runApp({ reader });
};

const job = jobRecord({
  state: 'retrying',
  dueAtMs: 1_764_430_060_000,
  startedAtMs: Number.MAX_VALUE,
  error: { name: 'Error', message: 'no [redacted]' },
});

describe('GET /v1/jobs/:id', () => {
  it('tells where the job stands, in ISO times, with its attempts', async () => {
    const run = { generation: 0, attempt: 1, run: 'r', startedAtMs: 1_764_430_000_100 };
    await serve(fakeReader([job], { attempts: async () => [run] }));
    const { body, headers } = await get(`/v1/jobs/${job.id.toUpperCase()}`, '/v1/jobs/{id}');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      id: job.id,
      queue: 'email.send',
      type: 'email.send',
      state: 'retrying',
      generation: 0,
      attempt: 1,
      createdAt: '2025-11-29T15:26:40.000Z',
      updatedAt: '2025-11-29T15:26:40.500Z',
      dueAt: '2025-11-29T15:27:40.000Z',
      error: { name: 'Error', message: 'no [redacted]' },
      attempts: [{ generation: 0, attempt: 1, run: 'r', startedAt: '2025-11-29T15:26:40.100Z' }],
    });
  });

  it('asks for the queue where several subscribers have the id', async () => {
    const jobs = ['audit', 'billing'].map((queue) => jobRecord({ queue }));
    await serve(fakeReader(jobs));
    const which = await get(`/v1/jobs/${job.id}`, '/v1/jobs/{id}');
    expect(which).toMatchObject({ status: 400, body: { errors: [{ field: 'query.queue' }] } });
    expect(which.body['detail']).toContain('audit, billing');
    const found = await get(`/v1/jobs/${job.id}?queue=billing`, '/v1/jobs/{id}');
    expect(found.body['queue']).toBe('billing');
  });

  it.each([
    ['an id that nobody knows', '/v1/jobs/nobody', 404, 'NOT_FOUND'],
    ['a queue that has no such job', `/v1/jobs/${job.id}?queue=other`, 404, 'NOT_FOUND'],
    ['an unknown option', `/v1/jobs/${job.id}?verbose=1`, 400, 'BAD_REQUEST'],
    ['a queue given twice', `/v1/jobs/${job.id}?queue=a&queue=b`, 400, 'BAD_REQUEST'],
  ])('refuses %s', async (_, path, status, code) => {
    await serve(fakeReader([job]));
    expect(await get(path, '/v1/jobs/{id}')).toMatchObject({ status, code });
  });

  it('says that the store is away, or that there is none', async () => {
    const away = async () => Promise.reject(new StoreUnavailableError('refused'));
    await serve(fakeReader([], { find: away }));
    const answer = await get(`/v1/jobs/${job.id}`, '/v1/jobs/{id}');
    expect(answer).toMatchObject({ status: 503, code: 'STORE_UNAVAILABLE' });
    expect(answer.headers.get('retry-after')).toBe('5');
    await app.stop();
    await serve(undefined);
    for (const [path, route] of [
      [`/v1/jobs/${job.id}`, '/v1/jobs/{id}'],
      [`/v1/jobs/${job.id}/log`, '/v1/jobs/{id}/log'],
      ['/v1/jobs', '/v1/jobs'],
    ] as const) {
      const none = await get(path, route);
      expect(none).toMatchObject({ status: 501, code: 'STORE_MISSING' });
      expect(none.body['detail']).toContain('DATABASE_URL');
    }
  });
});

describe('GET /v1/jobs', () => {
  it('hands the filter on, and the cursor back', async () => {
    const filters: JobFilter[] = [];
    const list: JobReader['list'] = async (filter) => {
      filters.push(filter);
      return { items: [job], cursor: 'next' };
    };
    await serve(fakeReader([], { list }));
    const { body } = await get(
      '/v1/jobs?type=a.b&state=dead,cancelled&q=x%25&limit=7&cursor=c',
      '/v1/jobs',
    );
    expect(body).toMatchObject({ jobs: [{ id: job.id }], cursor: 'next' });
    await get('/v1/jobs', '/v1/jobs');
    expect(filters).toEqual([
      { type: 'a.b', states: ['dead', 'cancelled'], search: 'x%', limit: 7, cursor: 'c' },
      { limit: 100 },
    ]);
  });

  it.each([
    ['a state that does not exist', '?state=dead,lost', 'query.state'],
    ['a limit that is none', '?limit=-1', 'query.limit'],
    ['a limit that is too large', '?limit=1001', 'query.limit'],
    ['an empty type', '?type=', 'query.type'],
  ])('refuses %s', async (_, query, field) => {
    await serve(fakeReader([]));
    const { status, body } = await get(`/v1/jobs${query}`, '/v1/jobs');
    expect([status, body['errors']]).toMatchObject([400, [{ field }]]);
  });

  it('refuses a cursor that was altered', async () => {
    const list = async () => Promise.reject(new CursorInvalidError('was not given out'));
    await serve(fakeReader([], { list }));
    expect(await get('/v1/jobs?cursor=x', '/v1/jobs')).toMatchObject({
      status: 400,
      code: 'CURSOR_INVALID',
    });
  });
});

describe('GET /v1/jobs/:id/log', () => {
  it('has the lines of a page, and where to go on', async () => {
    const asked: unknown[] = [];
    const log: JobReader['log'] = async (...args) => {
      asked.push(args);
      const line = { run: 'r', seq: 3, atMs: 1_764_430_000_000, message: 'sent' };
      return { items: [{ ...line, level: 'info' }], position: 'p', missing: 2 };
    };
    await serve(fakeReader([job], { log }));
    const { body } = await get(`/v1/jobs/${job.id}/log?limit=5&cursor=c`, '/v1/jobs/{id}/log');
    expect(asked).toEqual([['email.send', job.id, { limit: 5, cursor: 'c' }]]);
    expect(body).toEqual({
      lines: [{ at: '2025-11-29T15:26:40.000Z', run: 'r', seq: 3, level: 'info', message: 'sent' }],
      position: 'p',
      missing: 2,
    });
    expect(await get('/v1/jobs/nobody/log', '/v1/jobs/{id}/log')).toMatchObject({ status: 404 });
  });
});
