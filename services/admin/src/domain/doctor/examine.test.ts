import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { facts, queue, queues } from './facts.fixture.ts';
import type { DoctorFacts } from './facts.ts';
import { figures, only, production, troubles, unseen } from './troubles.fixture.ts';

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

const worker = { worker: 'w', state: 'open', sinceMs: 0 } as const;
const smtp = { ...worker, breaker: 'smtp', queues: ['a.b'], workers: [worker] };

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
      'no consumer, and workers that cannot be heard',
      {
        figures: figures(['a.b', 3, 0]),
        held: { paused: [], circuits: [], unheard: 'no history' },
      },
      'nobody takes them: a.b (3) (whether a circuit is open is not known: no history)',
    ],
    [
      'jobs that wait for a circuit',
      {
        figures: figures(['a.b', 3, 0], ['a.b.suspect', 1, 0], ['c.d', 9, 1]),
        held: { paused: [], circuits: [smtp] },
      },
      'consumers warning: circuit smtp is open: a.b waits for it (since 1970-01-01T00:00:00.000Z)',
    ],
    [
      'jobs that wait for an operator',
      { figures: figures(['a.b', 3, 0]), held: { paused: ['a.b'], circuits: [] } },
      'consumers warning: a.b is paused by an operator',
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
