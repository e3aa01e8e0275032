import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answersOf, decide, groupByKey } from './plan.ts';
import type { UniqueAcceptance } from './types.ts';
import { judge, type KnownKey, type Uniqueness } from './uniqueness.ts';

const uniqueness: fc.Arbitrary<Uniqueness> = fc
  .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('active', 'throttle', 'debounce'))
  .map(([key, kind]): Uniqueness => {
    if (kind === 'active') return { kind, key, maxAgeMs: 1 };
    if (kind === 'throttle') return { kind, key, periodMs: 1 };
    return { kind: 'debounce', key, waitMs: 1, maxWaitMs: 10 };
  });

const knownKey: fc.Arbitrary<KnownKey> = fc.record({
  jobId: fc.constantFrom('old-1', 'old-2'),
  isOver: fc.boolean(),
  hasEnded: fc.boolean(),
  isWaiting: fc.boolean(),
});

const requests = fc
  .array(
    fc.record({
      uniqueness,
      type: fc.constantFrom('a.b', 'c.d'),
      knownOnly: fc.option(fc.boolean(), { nil: undefined }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) => all.map((one, at) => acceptance(`new-${at}`, one)));

function acceptance(
  id: string,
  of: { uniqueness: Uniqueness; type: string; knownOnly?: boolean | undefined },
): UniqueAcceptance {
  const { type, ...rest } = of;
  return {
    ...rest,
    message: { id, exchange: 'jobs', routingKey: type, body: Buffer.from(id), properties: {} },
    event: {
      kind: 'accepted',
      id,
      type,
      queue: type,
      generation: 0,
      attempt: 1,
      run: '',
      atMs: 1,
      service: 's',
    },
  };
}

const nameOf = ({ uniqueness: { kind, key }, event }: UniqueAcceptance) =>
  `${kind} ${event.type} ${key}`;

describe('judge', () => {
  it('makes a job where nobody answers for the key, whatever the kind', () => {
    fc.assert(fc.property(uniqueness, (one) => judge(one, undefined) === 'new'));
  });

  it('keeps to the job of a key only as its kind says, and never once its time is over but for one that waits', () => {
    fc.assert(
      fc.property(uniqueness, knownKey, (one, known) => {
        const verdict = judge(one, known);
        if (one.kind === 'debounce') return verdict === (known.isWaiting ? 'replace' : 'new');
        if (known.isOver) return verdict === 'new';
        const isFree = one.kind === 'active' && known.hasEnded;
        return verdict === (isFree ? 'new' : 'duplicate');
      }),
    );
  });
});

describe('the plan of a batch', () => {
  it('answers each request, with one job for each key, and the last payload of those that replace', () => {
    fc.assert(
      fc.property(requests, fc.array(knownKey), fc.nat(5), (jobs, before, room) => {
        const groups = groupByKey(jobs);
        const known = new Map(before.slice(0, groups.length).map((key, ord) => [ord, key]));
        const decisions = decide(groups, known, room);
        const answers = answersOf(decisions, 7);
        expect(answers).toHaveLength(jobs.length);
        expect(groups.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual(
          jobs.map((_, at) => at),
        );
        for (const { group, verdict, id } of decisions) {
          const names = group.members.map((at) => nameOf(jobs[at] as UniqueAcceptance));
          expect(new Set(names).size).toBe(1);
          const told = group.members.map((at) => answers[at]);
          const made = told.filter((answer) => answer?.kind === 'accepted');
          expect(made).toHaveLength(verdict === 'new' ? 1 : 0);
          if (verdict === 'new' || verdict === 'replace') {
            const isLast = group.leader.uniqueness.kind === 'debounce';
            expect(group.leader).toBe(jobs[group.members.at(isLast ? -1 : 0) ?? 0]);
          }
          for (const answer of told) {
            if (answer && 'id' in answer) expect(answer.id).toBe(id);
          }
        }
        const made = decisions.filter(({ verdict }) => verdict === 'new');
        expect(made.length).toBeLessThanOrEqual(room);
        for (const { group } of made) expect(group.leader.knownOnly).not.toBe(true);
      }),
    );
  });

  it('says why none is made: no room, or none wanted', () => {
    const one: Uniqueness = { kind: 'active', key: 'a', maxAgeMs: 1 };
    const jobs = [
      acceptance('1', { uniqueness: one, type: 'a.b', knownOnly: true }),
      acceptance('2', { uniqueness: { ...one, key: 'b' }, type: 'a.b' }),
    ];
    expect(answersOf(decide(groupByKey(jobs), new Map(), 0), 7)).toEqual([
      { kind: 'refused' },
      { kind: 'full', pending: 7 },
    ]);
  });
});
