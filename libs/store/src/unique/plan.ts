import type { UniqueAcceptance, UniquelyAccepted } from './types.ts';
import { judge, type KnownKey, type Verdict } from './uniqueness.ts';

/** Requests of one batch that have the same key; one of them is decided upon, and speaks for all. */
export interface KeyGroup {
  /** Its place among the groups. */
  readonly ord: number;
  readonly leader: UniqueAcceptance;
  /** Indexes of all its requests in the batch, in order. */
  readonly members: readonly number[];
}

/** What is to be written for a group, and answered. */
export interface Decision {
  readonly group: KeyGroup;
  readonly verdict: Verdict | 'full' | 'refused';
  /** The job that answers for the key; that of the leader if it is new. */
  readonly id: string;
}

/** The first with a key speaks for all; where the last payload counts, the last. */
export function groupByKey(jobs: readonly UniqueAcceptance[]): KeyGroup[] {
  const groups = new Map<string, number[]>();
  jobs.forEach(({ uniqueness, event }, at) => {
    const name = JSON.stringify([uniqueness.kind, event.type, uniqueness.key]);
    const members = groups.get(name);
    if (members) members.push(at);
    else groups.set(name, [at]);
  });
  return [...groups.values()].map((members, ord) => {
    const first = jobs[members[0] ?? 0] as UniqueAcceptance;
    const last = jobs[members.at(-1) ?? 0] as UniqueAcceptance;
    return { ord, members, leader: first.uniqueness.kind === 'debounce' ? last : first };
  });
}

/**
 * Decides on each group.
 * @param known what is known of their keys, by group
 * @param room how many new jobs may be made
 */
export function decide(
  groups: readonly KeyGroup[],
  known: ReadonlyMap<number, KnownKey>,
  room: number,
): Decision[] {
  let left = room;
  return groups.map((group) => {
    const { leader, ord } = group;
    const before = known.get(ord);
    const verdict = judge(leader.uniqueness, before);
    if (verdict !== 'new') return { group, verdict, id: before?.jobId ?? '' };
    const { id } = leader.message;
    if (leader.knownOnly) return { group, verdict: 'refused', id };
    if (left === 0) return { group, verdict: 'full', id };
    left -= 1;
    return { group, verdict: 'new', id };
  });
}

/** The answer to each request of the batch, in order. */
export function answersOf(decisions: readonly Decision[], pending: number): UniquelyAccepted[] {
  const answers: UniquelyAccepted[] = [];
  for (const { group, verdict, id } of decisions) {
    group.members.forEach((at, place) => {
      answers[at] = answerTo({ verdict, id, isFirst: place === 0, pending, group });
    });
  }
  return answers;
}

interface Question extends Pick<Decision, 'verdict' | 'id' | 'group'> {
  readonly isFirst: boolean;
  readonly pending: number;
}

function answerTo({ verdict, id, isFirst, pending, group }: Question): UniquelyAccepted {
  switch (verdict) {
    case 'new':
      if (isFirst) return { kind: 'accepted', id };
      return { kind: group.leader.uniqueness.kind === 'debounce' ? 'replaced' : 'duplicate', id };
    case 'replace':
      return { kind: 'replaced', id };
    case 'duplicate':
      return { kind: 'duplicate', id };
    case 'full':
      return { kind: 'full', pending };
    case 'refused':
      return { kind: 'refused' };
  }
}
