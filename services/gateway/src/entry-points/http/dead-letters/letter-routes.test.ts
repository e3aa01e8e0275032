import { QueueMissingError } from '@warren/contracts';
import { afterEach, expect, it } from 'vitest';
import type { ShownLetter } from '../../../domain/dead-letters/letter-desk.ts';
import { anyLetters } from '../../../fixtures/any-letters.ts';
import { documentedAnswers } from '../../../fixtures/documented.ts';
import { type RunningApp, runApp } from '../../../fixtures/running-app.ts';

let app: RunningApp;
afterEach(() => app.stop());

async function get(path: string): Promise<[number, Record<string, unknown>]> {
  const response = await fetch(`${app.url}/v1/dead-letters${path}`);
  const body = (await response.json()) as Record<string, unknown>;
  const code = body['code'] === undefined ? '' : ` ${String(body['code'])}`;
  const route = path
    .replace(/\?.*/, '')
    .replace(/^\/[^/]+/, '/{queue}')
    .replace(/letters\/.*/, 'letters/{id}');
  expect(await documentedAnswers(app.url, `/v1/dead-letters${route}`, 'get')).toContain(
    `${response.status}${code}`,
  );
  return [response.status, body];
}

const letter: ShownLetter = {
  position: 3,
  id: 'a',
  type: 'email.send',
  reason: 'poison',
  error: 'Error: x',
  origin: 'email.send',
  routingKey: 'email.send',
  attempt: 3,
  generation: 0,
  payloadVersion: 1,
  publishedAtMs: 1_800_000_000_000,
  deadAtMs: undefined,
  correlationId: undefined,
  replayOf: undefined,
  fingerprint: '0123456789ab',
  payloadBytes: 9,
  payload: { to: '[redacted]' },
};

it('shows queues, pages, groups and one', async () => {
  const asked: unknown[] = [];
  const letters = {
    queues: async () => [{ queue: 'email.send', dead: 5 }],
    list: async (...page: unknown[]) => {
      asked.push(page);
      return { depth: 5, letters: [letter], next: 3 };
    },
    groups: async () => ({
      depth: 5,
      groups: [
        {
          fingerprint: '0123456789ab',
          type: 'email.send',
          reason: 'poison',
          count: 5,
          errorClass: 'Error',
          headline: 'Error: x',
          sampleId: 'a',
          firstSeenMs: 1_800_000_000_000,
          lastSeenMs: undefined,
        },
      ],
      ungrouped: 0,
    }),
    find: async (_: string, id: string) => (id === 'a' ? letter : undefined),
  };
  app = await runApp({ letters });
  expect(await get('')).toEqual([200, { queues: [{ queue: 'email.send', dead: 5 }] }]);
  const [, page] = await get('/email.send?limit=1&cursor=2');
  expect(asked).toMatchObject([['email.send', { limit: 1, after: 2, selection: {} }]]);
  expect(page).toMatchObject({
    queue: 'email.send',
    depth: 5,
    cursor: '3',
    deadLetters: [{ id: 'a', publishedAt: '2027-01-15T08:00:00.000Z', payloadBytes: 9 }],
  });
  expect(await get('/email.send/groups')).toMatchObject([
    200,
    { groups: [{ count: 5, firstSeen: '2027-01-15T08:00:00.000Z' }] },
  ]);
  expect(await get('/email.send/letters/a')).toMatchObject([200, { id: 'a' }]);
  expect(await get('/email.send/letters/b')).toMatchObject([404, { code: 'NOT_FOUND' }]);
});

it('ends its pages, and names what is wrong', async () => {
  const list = (queue: string) =>
    queue === 'none'
      ? Promise.reject(new QueueMissingError('none.dead'))
      : Promise.resolve({ depth: 3, letters: [letter], next: undefined });
  app = await runApp({ letters: { ...anyLetters, list } });
  const [, page] = await get('/email.send');
  expect(page).not.toHaveProperty('cursor');
  expect(await get('/none')).toMatchObject([404, { code: 'QUEUE_MISSING' }]);
  for (const [query, field] of [
    ['cursor=x', 'query.cursor'],
    ['limit=0', 'query.limit'],
    ['page=2', 'query.page'],
    ['fingerprint=xyz', 'query.fingerprint'],
    ['since=yesterday', 'query.since'],
    ['since=2026-11-29T03:00:00Z&since=2026-11-29T04:00:00Z', 'query.since'],
    ['header=tenant', 'query.header'],
    ['header=a%3D1&header=a%3D2', 'query.header'],
    ['id=a&id=', 'query.id'],
    ['ids=a', 'query.ids'],
  ]) {
    expect(await get(`/email.send?${query}`)).toMatchObject([400, { errors: [{ field }] }]);
  }
});

it('reads which are meant, as the command has it', async () => {
  const asked: unknown[] = [];
  const letters = {
    ...anyLetters,
    list: async (...page: unknown[]) => {
      asked.push(page[1]);
      return { depth: 0, letters: [], next: undefined };
    },
    groups: async (...page: unknown[]) => {
      asked.push(page[1]);
      return { depth: 0, groups: [], ungrouped: 0 };
    },
  };
  app = await runApp({ letters });
  const chosen = 'id=a&id=b&type=email.send&error=EBOX&fingerprint=0123456789ab';
  const more = 'header=tenant%3Dacme&header=n%3D1%3D2&since=2027-01-15T08:00:00Z';
  expect((await get(`/email.send?${chosen}&${more}&limit=5`))[0]).toBe(200);
  expect((await get('/email.send/groups?error=EBOX'))[0]).toBe(200);
  const selection = {
    ids: ['a', 'b'],
    types: ['email.send'],
    errors: ['EBOX'],
    fingerprints: ['0123456789ab'],
    headers: { tenant: 'acme', n: '1=2' },
    sinceMs: 1_800_000_000_000,
    untilMs: undefined,
  };
  expect(asked).toMatchObject([{ limit: 5, after: 0, selection }, { errors: ['EBOX'] }]);
});
