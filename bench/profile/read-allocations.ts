import { functionOf, ownerOf } from './places.ts';
import type { AllocationNode, AllocationProfile, CallFrame } from './profiles.ts';
import { addUp, type Share } from './shares.ts';

/** Bytes of the objects that each function made, the greatest first; what is built in is told with who called it. */
export function bytesByFunction(profile: AllocationProfile): Share[] {
  return addUp(
    made(profile.head, undefined, (frame, caller) =>
      frame === caller || !caller
        ? functionOf(frame)
        : `${functionOf(caller)} › ${functionOf(frame)}`,
    ),
  );
}

/** The same by lib, service, package, or part of Node: what is built in makes its objects for who called it. */
export function bytesByOwner(profile: AllocationProfile): Share[] {
  return addUp(made(profile.head, undefined, (frame, caller) => ownerOf(caller ?? frame)));
}

type NameOf = (frame: CallFrame, caller: CallFrame | undefined) => string;

/** @param above the innermost caller that is not built in */
function* made(
  { callFrame, selfSize, children }: AllocationNode,
  above: CallFrame | undefined,
  nameOf: NameOf,
): Generator<Share, void, undefined> {
  const caller = callFrame.url === '' ? above : callFrame;
  if (selfSize > 0) yield { where: nameOf(callFrame, caller), amount: selfSize };
  for (const child of children) yield* made(child, caller, nameOf);
}
