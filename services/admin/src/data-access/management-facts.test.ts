import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { managementAccess } from './management-access.ts';
import { managementFacts } from './management-facts.ts';

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

/** Answers by path; 404 to all else. */
async function ask(
  answers: Readonly<Record<string, readonly [number, unknown]>>,
  later: typeof answers = {},
) {
  const asked: string[] = [];
  server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api', '');
    asked.push(`${request.method} ${path}`);
    const bare = path.replace(/\?.*/, '');
    const before = asked.filter((one) => one.startsWith(`GET ${bare}`)).length > 1;
    const found = (before ? later[bare] : undefined) ?? answers[path] ?? answers[bare];
    const [status, body] = found ?? [404, {}];
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = managementAccess(url, { urls: ['amqp://me:secret@127.0.0.1/v'] });
  const facts = await managementFacts(access, 'me', (queue) => queue !== 'other', 1);
  return { facts, asked };
}

const whoami = ['/whoami', [200, { name: 'me', tags: 'monitoring' }]] as const;
const queue = { name: 'a.b', arguments: { 'x-queue-type': 'quorum' } };

describe('managementFacts', () => {
  it('reads all pages of queues, and keeps those of the installation', async () => {
    const page = (items: unknown[]) => [200, { page_count: 2, items }] as const;
    const path = (number: number) =>
      `/queues/v?page=${number}&page_size=500&columns=name,type,arguments,policy,operator_policy,effective_policy_definition,members,online,messages,messages_ready,messages_unacknowledged,messages_dlx`;
    const { facts } = await ask({
      [whoami[0]]: whoami[1],
      [path(1)]: page([queue, { name: 'other' }]),
      [path(2)]: page([
        {
          name: 'c.d',
          arguments: [],
          policy: 'mine',
          operator_policy: 'theirs',
          effective_policy_definition: { 'max-length': 5 },
          members: ['n1'],
        },
      ]),
    });
    expect(facts.tags).toEqual({ value: ['monitoring'] });
    expect(facts.queues).toEqual({
      value: [
        expect.objectContaining({
          name: 'a.b',
          policies: [],
          policy: undefined,
          members: undefined,
        }),
        expect.objectContaining({
          name: 'c.d',
          arguments: {},
          policies: ['mine', 'theirs'],
          policy: { 'max-length': 5 },
          members: ['n1'],
        }),
      ],
    });
  });

  it('looks again at queues that messages are leaving, and takes those that stay for stuck', async () => {
    const list = (...left: readonly object[]) =>
      [200, { page_count: 1, items: left.map((one, at) => ({ name: `q${at}`, ...one })) }] as const;
    const counted = { messages: 9, messages_ready: 4, messages_unacknowledged: 2 };
    const none = { messages: 4, messages_ready: 4, messages_unacknowledged: 0 };
    const { facts, asked } = await ask(
      {
        [whoami[0]]: whoami[1],
        '/queues/v': list(counted, { ...counted, messages_dlx: 7 }, counted, none, {}),
      },
      { '/queues/v': list(counted, { ...counted, messages_dlx: 8 }, none, counted, {}) },
    );
    const left = 'value' in facts.queues && facts.queues.value.map(({ leaving }) => leaving);
    expect(left).toEqual([3, 7, 0, 0, undefined]);
    expect(asked.filter((one) => one.startsWith('GET /queues/'))).toHaveLength(2);
  });

  it('understands nodes, flags and permissions, also in part', async () => {
    const { facts } = await ask({
      [whoami[0]]: [200, { tags: ['administrator'] }],
      '/nodes': [200, [{ name: 'n1', running: true, fd_total: 'unknown', mem_limit: 9 }]],
      '/overview': [200, { object_totals: { queues: 12 } }],
      '/feature-flags': [
        200,
        [
          { name: 'on', state: 'enabled' },
          { name: 'off', state: 'disabled' },
          { name: 'new', state: 'disabled', stability: 'experimental' },
        ],
      ],
      '/deprecated-features/used': [200, [{ name: 'old' }]],
      '/permissions/v/me': [200, { user: 'me', configure: '', write: 'a', read: '.*' }],
    });
    expect(facts).toMatchObject({
      nodes: { value: [{ name: 'n1', fileLimit: undefined, memoryLimitBytes: 9 }] },
      queueCount: { value: 12 },
      disabledFlags: { value: ['off'] },
      deprecated: { value: ['old'] },
      permissions: { value: { configure: '', write: 'a', read: '.*' } },
      queues: { unseen: 'this version of RabbitMQ does not tell' },
    });
  });

  it.each<[number, unknown, string]>([
    [401, {}, 'me may not see it (401): the tag monitoring'],
    [403, {}, 'me may not see it (403): the tag monitoring'],
    [404, {}, 'this version of RabbitMQ does not tell'],
    [500, {}, 'the management API answered 500'],
    [200, 'a page', 'something that is not understood'],
    [200, { other: 1 }, 'something that is not understood'],
  ])('takes %i %j for not seen', async (status, body, expected) => {
    const { facts } = await ask({ [whoami[0]]: whoami[1], '/nodes': [status, body] });
    expect(facts.nodes).toEqual({ unseen: expect.stringContaining(expected) });
  });

  it('asks no further where the user is refused, and only ever looks', async () => {
    const { facts, asked } = await ask({ '/whoami': [401, {}] });
    const refused = { unseen: expect.stringContaining('refused me or its password') };
    expect(facts).toMatchObject({ tags: refused, nodes: refused, queues: refused });
    expect(JSON.stringify(facts)).not.toContain('secret');
    expect(asked).toEqual(['GET /whoami']);
  });

  it('tells that nobody answers', async () => {
    const access = managementAccess('http://127.0.0.1:1', { urls: ['amqp://127.0.0.1'] });
    const { nodes } = await managementFacts(access, 'guest', () => true);
    expect(nodes).toEqual({ unseen: expect.stringContaining('management API: ') });
  });
});
