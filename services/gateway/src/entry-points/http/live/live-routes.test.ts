import { Gate } from '@warren/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HistoryHub } from '../../../domain/live/history-hub.ts';
import { documentedAnswers } from '../../../fixtures/documented.ts';
import { fakeReader, jobRecord } from '../../../fixtures/fake-reader.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';

const job = jobRecord();
const paths = {
  '/v1/events-stream': '/v1/events-stream',
  '/v1/jobs/{id}/events': `/v1/jobs/${job.id}/events`,
};
const waiting = `/v1/jobs/${job.id}?wait=60s`;

let app: RunningApp;
let leaving: AbortController[] = [];
afterEach(async () => {
  for (const one of leaving) one.abort();
  leaving = [];
  await app.stop();
});

/** Nothing ever happens there. */
function quietHub(maxSeats: number): HistoryHub {
  return new HistoryHub({ open: () => ({ problem: undefined, close: async () => {} }) }, maxSeats);
}

function follow(path: string): { leave(): void; response: Promise<Response> } {
  const one = new AbortController();
  leaving.push(one);
  return { leave: () => one.abort(), response: fetch(`${app.url}${path}`, { signal: one.signal }) };
}

describe.each(Object.entries(paths))('GET %s', (route, path) => {
  it('is refused by name to more clients than may follow, until one of them has left', async () => {
    app = await runApp({ reader: fakeReader([job]), hub: quietHub(1) });
    const first = follow(path);
    expect((await first.response).status).toBe(200);
    const refused = await follow(path).response;
    expect(await refused.json()).toMatchObject({ status: 503, code: 'FOLLOWERS_FULL' });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await documentedAnswers(app.url, route, 'get')).toContain('503 FOLLOWERS_FULL');
    first.leave();
    await vi.waitFor(async () => expect((await follow(path).response).status).toBe(200));
  });
});

it('takes who waits for a job for one of them, until the answer', async () => {
  const asked = vi.fn(async () => [job]);
  const hub = quietHub(1);
  app = await runApp({ reader: fakeReader([job], { find: asked }), hub });
  const waits = follow(waiting);
  const ended = waits.response.catch(() => 'left');
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  const refused = await follow(waiting).response;
  expect(await refused.json()).toMatchObject({ status: 503, code: 'FOLLOWERS_FULL' });
  expect(await documentedAnswers(app.url, '/v1/jobs/{id}', 'get')).toContain('503 FOLLOWERS_FULL');
  expect((await follow(waiting.replace('?wait=60s', '')).response).status).toBe(200);
  waits.leave();
  expect(await ended).toBe('left');
  await vi.waitFor(() => hub.seat()());
});

it('holds no place for a client that left while the store was asked', async () => {
  const [asked, answers] = [new Gate(), new Gate()];
  const find = vi.fn(async () => {
    asked.open();
    await answers.opened;
    return [job];
  });
  const hub = quietHub(1);
  app = await runApp({ reader: fakeReader([job], { find }), hub });
  const first = follow(`/v1/jobs/${job.id}/events`);
  const ended = first.response.catch(() => 'left');
  await asked.opened;
  first.leave();
  expect(await ended).toBe('left');
  // The server has heard of it once it has answered another request on the loopback.
  await fetch(`${app.url}/healthz`);
  answers.open();
  await vi.waitFor(() => expect(find.mock.calls.length, 'it is followed').toBeGreaterThan(1));
  await vi.waitFor(() => hub.seat()());
});
