import type { CircuitEverywhere } from '@warren/history';
import { visible } from './visible.ts';

const MAX_NAMED = 5;

/** Which circuits are open, in a sentence; undefined where none is. */
export function openCircuitsText(
  circuits: readonly Pick<CircuitEverywhere, 'breaker' | 'key' | 'state'>[],
): string | undefined {
  const open = circuits.filter(({ state }) => state === 'open');
  if (open.length === 0) return undefined;
  const named = open
    .slice(0, MAX_NAMED)
    .map(({ breaker, key }) => visible(key === undefined ? breaker : `${breaker} (${key})`));
  const more = open.length > MAX_NAMED ? ` and ${open.length - MAX_NAMED} more` : '';
  return `open circuits: ${named.join(', ')}${more}; jobs whose handlers need them wait, unspent, until they close`;
}
