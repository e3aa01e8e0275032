import { describe, expect, it } from 'vitest';
import { queue, queues } from './facts.fixture.ts';
import { only, troubles } from './troubles.fixture.ts';

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
