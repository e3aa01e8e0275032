import { functionOf, ownerOf } from './places.ts';
import type { CallFrame, CpuProfile } from './profiles.ts';
import { addUp, type Share } from './shares.ts';

const IDLE = '(idle)';
/** The profiler's own: what begins and ends it. */
const PROFILER = 'dispatch';

/** Microseconds spent in each function itself, not in what it calls, the greatest first, without what the process waited. */
export function timeByFunction(profile: CpuProfile): Share[] {
  return selfTime(profile, functionOf);
}

/** The same by lib, service, package, or part of Node. */
export function timeByOwner(profile: CpuProfile): Share[] {
  return selfTime(profile, ownerOf);
}

function selfTime(
  { nodes, samples, timeDeltas }: CpuProfile,
  nameOf: (frame: CallFrame) => string,
): Share[] {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const parts = samples.map((id, index) => ({
    where: names.get(id) ?? IDLE,
    amount: timeDeltas[index] ?? 0,
  }));
  return addUp(parts.filter(({ where }) => where !== IDLE && where !== PROFILER));
}
