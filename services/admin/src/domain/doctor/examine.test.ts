import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { facts, node, queue, queues, topology } from './facts.fixture.ts';
import type { DoctorFacts } from './facts.ts';
import type { Finding } from './finding.ts';

const production = { production: true };

/** What is not `ok`. */
const troubles = (changes: Partial<DoctorFacts>): Finding[] =>
  examine(facts(changes), production).filter(({ result }) => result !== 'ok');

/** The one finding that there is, as `check result: finding`. */
function only(changes: Partial<DoctorFacts>): string {
  const found = troubles(changes);
  expect(found).toHaveLength(1);
  const [{ check, result, finding, advice } = { check: '', result: '', finding: '', advice: '' }] =
    found;
  expect(advice).toBeTruthy();
  return `${check} ${result}: ${finding}`;
}

const figures = (...others: [string, number, number][]) => ({
  value: new Map([
    ...topology.queues.map(({ name }) => [name, { ready: 0, consumers: 1 }] as const),
    ...others.map(([name, ready, consumers]) => [name, { ready, consumers }] as const),
  ]),
});

const unseen = { unseen: 'nobody tells' };

describe('examine', () => {
  it('finds nothing where nothing is wrong, each check once', () => {
    const found = examine(facts(), production);
    expect(found.filter(({ result }) => result !== 'ok')).toEqual([]);
    const checks = found.map(({ check }) => check);
    expect(new Set(checks).size).toBe(checks.length);
    expect(checks).toEqual(expect.arrayContaining(['broker', 'policies', 'members', 'tls']));
  });

  it('leaves what only a production needs to those who ask', () => {
    const ofADeveloper = { username: 'guest', hosts: [{ hostname: 'far', isTls: false }] };
    expect(examine(facts(ofADeveloper)).every(({ result }) => result === 'ok')).toBe(true);
  });

  it('says of what cannot be seen why, and takes it for neither good nor bad', () => {
    const nothing = {
      tags: unseen,
      bindings: unseen,
      queues: unseen,
      nodes: unseen,
      queueCount: unseen,
      disabledFlags: unseen,
      deprecated: unseen,
      permissions: unseen,
      differences: unseen,
    };
    const found = troubles(nothing);
    expect(found.map(({ check }) => check).sort()).toEqual([
      'bindings',
      'cluster',
      'deprecated',
      'disk limit',
      'feature flags',
      'file handles',
      'file limit',
      'members',
      'memory limit',
      'nodes',
      'permissions',
      'plugins',
      'policies',
      'stuck messages',
      'topology',
    ]);
    for (const { result, finding } of found) {
      expect({ result, finding }).toEqual({ result: 'not checkable', finding: 'nobody tells' });
    }
  });
});

describe('over AMQP', () => {
  it.each<[string, Partial<DoctorFacts>, string]>([
    ['an old broker', { version: '3.9.29' }, 'broker problem: RabbitMQ 3.9.29: Warren needs 3.10'],
    [
      'an alarm',
      { blockedReason: 'low on memory' },
      'broker problem: it takes no messages: low on',
    ],
    [
      'a queue that is missing',
      { differences: { value: [{ kind: 'missing', what: 'queue', name: 'a.b' }] } },
      'topology problem: 1 missing: a.b',
    ],
    [
      'a queue that is other',
      {
        differences: {
          value: [{ kind: 'mismatch', what: 'queue', name: 'a.b', detail: 'x is 2' }],
        },
      },
      'topology problem: x is 2',
    ],
    [
      'no consumer',
      { figures: figures(['a.b', 3, 0]) },
      'consumers problem: jobs wait and nobody takes them: a.b (3)',
    ],
    [
      'no consumer of suspects',
      { figures: figures(['a.b.suspect', 1, 0]) },
      'consumers problem: jobs wait',
    ],
    [
      'dead letters',
      { figures: figures(['c.d.dead', 7, 0]) },
      'dead letters warning: they wait for a decision: c.d.dead (7)',
    ],
    [
      'unroutable ones',
      { figures: figures(['jobs.unroutable', 2, 0]) },
      'unroutable problem: 2 messages in jobs.unroutable',
    ],
  ])('%s', (_, changes, expected) => {
    expect(only(changes)).toContain(expected);
  });

  it('is content with jobs that wait for a consumer that is there, and with none and no consumer', () => {
    expect(troubles({ figures: figures(['a.b', 9, 1], ['c.d', 0, 0]) })).toEqual([]);
  });

  it('compares by the API what this user may not declare', () => {
    const changed = queue('a.b', {
      arguments: { ...queue('a.b').arguments, 'x-delivery-limit': 5 },
    });
    expect(only({ differences: unseen, queues: queues(changed) })).toBe(
      'topology problem: queue a.b: x-delivery-limit is 5, not 1000',
    );
    const [first, ...rest] = queues().value;
    expect(only({ differences: unseen, queues: { value: rest } })).toBe(
      `topology problem: 1 missing: ${first?.name}`,
    );
    expect(troubles({ differences: unseen })).toEqual([]);
  });

  it('looks at least whether queues exist', () => {
    const gone = { value: new Map(figures().value).set('a.b', undefined as never) };
    const found = troubles({ differences: unseen, queues: unseen, figures: gone });
    expect(found).toContainEqual({
      check: 'topology',
      result: 'problem',
      finding: '1 missing: a.b',
      advice: 'warren topology apply',
    });
  });
});

describe('what cannot leave its queue', () => {
  it('is told with its queue, and not of streams or of queues of others', () => {
    expect(only({ queues: queues(queue('retry.5s', { leaving: 3 })) })).toBe(
      'stuck messages problem: messages cannot leave their queue, and nobody can see them in it: retry.5s (3)',
    );
    const others = [queue('jobs.history', { leaving: 9 }), { ...queue('a.b'), name: 'other' }];
    expect(troubles({ queues: queues(...others) })).toEqual([]);
  });

  it('is not judged before the API counts', () => {
    const young = topology.queues.map(({ name }) => queue(name, { leaving: undefined }));
    expect(troubles({ queues: { value: young } })).toEqual([
      expect.objectContaining({ check: 'stuck messages', result: 'not checkable' }),
    ]);
  });
});

describe('policies', () => {
  const under = (name: string, policy: Record<string, unknown>) =>
    ({ queues: queues(queue(name, { policies: ['all'], policy })) }) as const;

  it.each<[string, Record<string, unknown>, string]>([
    [
      'a.b',
      { 'message-ttl': 60_000 },
      'problem: policy all sets message-ttl: 60000 for a.b: jobs that wait',
    ],
    [
      'a.b.dead',
      { 'message-ttl': 60_000 },
      'problem: policy all sets message-ttl: 60000 for a.b.dead: messages that must be kept',
    ],
    ['retry.5s', { 'message-ttl': 100 }, 'retries come too early (100, declared 5000)'],
    [
      'a.b',
      { expires: 1_800_000 },
      'problem: policy all sets expires: 1800000 for a.b: the broker deletes',
    ],
    ['a.b', { 'max-length': 10 }, 'a full queue freezes'],
    ['a.b.dead', { 'max-length-bytes': 10 }, 'drops or refuses'],
    [
      'a.b',
      { 'delivery-limit': 20 },
      'problem: policy all sets delivery-limit: 20 for a.b: lost connections can use it up (20, declared 1000)',
    ],
    ['a.b', { overflow: 'drop-head' }, 'no longer at-least-once'],
    ['a.b', { 'dead-letter-strategy': 'at-most-once' }, 'at-most-once'],
    [
      'a.b',
      { 'dead-letter-exchange': 'mine' },
      'warning: policy all sets dead-letter-exchange: "mine" for a.b: has no effect',
    ],
    [
      'a.b.dead',
      { 'dead-letter-exchange': 'mine' },
      'problem: policy all sets dead-letter-exchange: "mine" for a.b.dead: messages that a person',
    ],
    ['a.b', { 'dead-letter-routing-key': 'x' }, 'warning: '],
    [
      'retry.5s',
      { 'dead-letter-routing-key': 'x' },
      'problem: policy all sets dead-letter-routing-key: "x" for retry.5s: retries come back to the wrong queue',
    ],
    ['jobs.history', { expires: 5 }, 'the broker deletes'],
  ])('%s under %j', (name, policy, expected) => {
    expect(only(under(name, policy))).toContain(expected);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a.b', { 'delivery-limit': 1_000, overflow: 'reject-publish' }],
    ['a.b', { 'dead-letter-exchange': 'jobs.dead', 'dead-letter-strategy': 'at-least-once' }],
    ['a.b', { 'queue-leader-locator': 'balanced', 'delivery-limit': 2_000 }],
    ['retry.5s', { 'message-ttl': 5_000 }],
    ['jobs.history', { 'max-age': '1D', 'max-length-bytes': 1_000_000_000 }],
    ['a.b.dead', { overflow: 'drop-head' }],
  ])('do no harm to %s with %j', (name, policy) => {
    expect(troubles(under(name, policy))).toEqual([]);
  });

  it('are told once for all queues that they reach, and not of queues of others', () => {
    const harm = { policies: ['all'], policy: { 'max-length': 10 } };
    const seen = queues(queue('a.b', harm), queue('c.d', harm)).value;
    const foreign = { ...queue('a.b'), name: 'other', ...harm };
    expect(only({ queues: { value: [...seen, foreign] } })).toContain('for a.b, c.d: a full queue');
  });

  it('are not judged before the API tells of them', () => {
    const young = queues(queue('a.b', { policy: undefined }));
    expect(troubles({ queues: young })).toEqual([
      expect.objectContaining({ check: 'policies', result: 'not checkable' }),
    ]);
  });

  it('may make the consumer timeout too short, where the broker heeds them', () => {
    const short = under('a.b', { 'consumer-timeout': 60_000 });
    expect(only(short)).toBe(
      'consumer timeout problem: a.b may run 65 s, the broker takes it back after 60 s (policy all)',
    );
    expect(troubles({ ...short, version: '3.10.8' })).toEqual([]);
    const slow = { jobs: [{ type: 'a.b', timeoutMs: 3_600_000, cancelGraceMs: 0, long: false }] };
    expect(only(slow)).toContain('consumer timeout warning: a.b may run 3600 s');
    expect(troubles({ ...slow, ...under('a.b', { 'consumer-timeout': 7_200_000 }) })).toEqual([]);
  });

  it('leave long jobs alone, whose deliveries are not out while they run', () => {
    const long = { jobs: [{ type: 'a.b', timeoutMs: 3_600_000, cancelGraceMs: 0, long: true }] };
    expect(troubles(long)).toEqual([]);
    expect(troubles({ ...long, ...under('a.b', { 'consumer-timeout': 60_000 }) })).toEqual([]);
  });
});

describe('bindings and permissions', () => {
  const binding = { exchange: 'jobs', queue: 'audit', routingKey: '#' };
  it('tells of a reader at the front door, and of what is missing', () => {
    expect(only({ bindings: { value: [{ kind: 'foreign', ...binding }] } })).toContain(
      'bindings problem: audit is bound to jobs by "#"',
    );
    expect(only({ bindings: { value: [{ kind: 'missing', ...binding }] } })).toContain(
      'bindings problem: 1 missing: jobs -> audit',
    );
  });

  it.each<[DoctorFacts['permissions'], string]>([
    [{ value: undefined }, 'permissions problem: warren has none'],
  ])('%j', (permissions, expected) => {
    const [found] = troubles({ permissions });
    expect(`${found?.check} ${found?.result}: ${found?.finding}`).toContain(expected);
  });

  it('names what may not be done', () => {
    const own = { configure: '.*', write: '.*', read: '' };
    expect(only({ permissions: { value: own } })).toContain('warren may not read jobs.unroutable');
    const some = { configure: '.*', read: '.*', write: '^(?!jobs.unroutable)' };
    expect(only({ permissions: { value: some } })).toBe(
      'permissions warning: warren may not write jobs.unroutable',
    );
  });
});

describe('nodes', () => {
  const nodes = (...changes: Parameters<typeof node>[1][]) => ({
    nodes: { value: [0, 1, 2].map((index) => node(`n${index}`, changes[index])) },
  });

  it.each<[string, Partial<DoctorFacts>, string]>([
    ['down', nodes({ isRunning: false }), 'nodes problem: down: n0'],
    ['cut off', nodes({ partitions: ['n1'] }), 'nodes problem: do not see all others: n0'],
    ['in alarm', nodes({}, { hasDiskAlarm: true }), 'nodes problem: alarm over memory or disk'],
    ['nearly full', nodes({ memoryBytes: 3_900_000_000 }), 'nodes warning: memory is used'],
    ['without metrics', nodes({ plugins: [] }), 'plugins warning: no metrics'],
    ['with too few files', nodes({ fileLimit: 32_768 }), 'file limit warning: fewer than 65536'],
    [
      'with too many queues',
      { queueCount: { value: 18_000 } },
      'file handles problem: 18000 queues set up to 54000 aside',
    ],
    [
      'with the default disk limit',
      nodes({ diskFreeLimitBytes: 50_000_000 }),
      'disk limit warning: disk_free_limit is 50 MB',
    ],
    [
      'with little memory',
      nodes({ memoryLimitBytes: 1_000_000_000 }),
      'memory limit warning: less than 1.5 GiB',
    ],
    [
      'with flags off',
      { disabledFlags: { value: ['khepri_db'] } },
      'feature flags warning: off, so that a later version may not start: khepri_db',
    ],
    ['with old features', { deprecated: { value: ['global_qos'] } }, 'deprecated warning: in use'],
  ])('%s', (_, changes, expected) => {
    expect(only(changes)).toContain(expected);
  });

  it('without a part of the figures are not judged by it', () => {
    const little = {
      memoryBytes: undefined,
      memoryLimitBytes: undefined,
      diskFreeLimitBytes: undefined,
      fileLimit: undefined,
    };
    expect(troubles(nodes(little))).toEqual([]);
  });

  it('count no file handles by queue from 4.0', () => {
    expect(troubles({ version: '4.3.6', queueCount: { value: 18_000 } })).toEqual([]);
  });

  it('need three copies of a queue where there are three, and one where there is one', () => {
    const alone = queue('a.b', { members: ['n1'], online: ['n1'] });
    expect(only({ queues: queues(alone) })).toBe(
      'members problem: queues with fewer than 3 copies: a.b (1)',
    );
    const single = queues(
      ...topology.queues.map(({ name }) => queue(name, { members: ['n1'], online: ['n1'] })),
    );
    expect(only({ queues: single, nodes: { value: [node('n1')] } })).toContain(
      'cluster warning: a single node',
    );
    expect(only({ queues: queues(queue('a.b', { online: ['n1', 'n2'] })) })).toContain(
      'members warning: queues of which a copy is down: a.b',
    );
  });
});

describe('for a production', () => {
  it.each<[string, Partial<DoctorFacts>, string]>([
    ['guest', { username: 'guest' }, 'user problem: the user is guest'],
    [
      'the default virtual host',
      { vhost: '/' },
      'user warning: the virtual host is the default one',
    ],
    [
      'an administrator',
      { tags: { value: ['administrator'] } },
      'user warning: warren is an admin',
    ],
    [
      'no TLS',
      {
        hosts: [
          { hostname: 'mq', isTls: false },
          { hostname: 'n2', isTls: true },
        ],
      },
      'tls problem: passwords and jobs cross the network unencrypted to mq',
    ],
    [
      'one host of three',
      { hosts: [{ hostname: 'n1', isTls: true }] },
      'cluster warning: AMQP_URL names one',
    ],
  ])('%s', (_, changes, expected) => {
    expect(only(changes)).toContain(expected);
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('%s needs no TLS', (hostname) => {
    const hosts = [
      { hostname, isTls: false },
      { hostname: 'n2', isTls: true },
    ];
    expect(troubles({ hosts })).toEqual([]);
  });

  it('lists many names shortly', () => {
    const hosts = 'abcdefg'.split('').map((hostname) => ({ hostname, isTls: false }));
    expect(only({ hosts })).toContain('a, b, c, d, e and 2 more');
  });
});
