/** After so many replays a dead letter is passed over where nobody says otherwise: its cause is not fixed by replaying. */
export const MAX_REPLAYS = 10;

/** Why one is passed over; undefined when it is not. Its generation is how often it was replayed. */
export function parkedBecause(
  { generation }: { readonly generation: number },
  maxReplays: number | undefined,
): string | undefined {
  if (maxReplays === undefined || generation < maxReplays) return undefined;
  const times = generation === 1 ? 'once' : `${generation} times`;
  return `it was replayed ${times} already and is parked: only a forced replay takes it`;
}
