import { circuitBefore, circuitBeforeText } from '@warren/client';
import type { CircuitEverywhere } from '@warren/history';

/** Why workers that are there may take no jobs. */
export interface HeldBack {
  /** Job types and subscribers that an operator has paused. */
  readonly paused: readonly string[];
  readonly circuits: readonly CircuitEverywhere[];
  /** Why that is not known, or not all of it. */
  readonly unheard?: string | undefined;
}

export const NOTHING_HELD: HeldBack = { paused: [], circuits: [] };

/** What may wait in one queue. */
export interface Waiting {
  /** The job type, or the subscriber. */
  readonly queue: string;
  /** Whether nobody consumes it. */
  readonly isAlone: boolean;
}

/** Why the jobs of a queue wait though nothing is wrong with its workers; undefined where nothing tells so. */
export function holdsBack(
  { queue, isAlone }: Waiting,
  { paused, circuits }: HeldBack,
): { readonly by: 'operator' | 'circuit'; readonly text: string } | undefined {
  if (paused.includes(queue)) return { by: 'operator', text: `${queue} is paused by an operator` };
  const before = circuitBefore(queue, circuits);
  // For a trial one consumer is there again.
  if (!before || !(before.isForAll || isAlone)) return undefined;
  return { by: 'circuit', text: circuitBeforeText(queue, before.circuit) };
}

/** What nobody seems to take may be held back all the same. */
export const unheardText = ({ unheard }: HeldBack): string =>
  unheard === undefined ? '' : ` (whether a circuit is open is not known: ${unheard})`;
