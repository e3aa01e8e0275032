import type { Topology } from '@warren/topology';
import type { Management, SeenBinding } from '../data-access/management.ts';

/** A binding that is missing, or one on the front door that is nobody's here. */
export interface BindingDifference {
  readonly kind: 'missing' | 'foreign';
  readonly exchange: string;
  readonly queue: string;
  readonly routingKey: string;
}

/**
 * Bindings that the topology has and the broker has not; and those on the front door, `jobs`, that the topology does not
 * have: behind a wildcard reader a job without a queue looks accepted.
 */
export async function compareBindings(
  { names, exchanges, bindings }: Pick<Topology, 'names' | 'exchanges' | 'bindings'>,
  management: Management,
): Promise<BindingDifference[]> {
  const differences: BindingDifference[] = [];
  for (const { name: exchange } of exchanges) {
    const wanted = bindings.filter((binding) => binding.exchange === exchange);
    const seen = await management.bindingsFrom(exchange);
    for (const { queue, routingKey } of wanted) {
      if (seen.some((one) => isSame(one, { queue, routingKey }))) continue;
      differences.push({ kind: 'missing', exchange, queue, routingKey });
    }
    if (exchange !== names.jobs) continue;
    for (const one of seen) {
      if (wanted.some((binding) => isSame(one, binding))) continue;
      const { destination: queue, routingKey } = one;
      differences.push({ kind: 'foreign', exchange, queue, routingKey });
    }
  }
  return differences;
}

function isSame(
  seen: SeenBinding,
  wanted: { readonly queue: string; readonly routingKey: string },
): boolean {
  return (
    seen.destinationType === 'queue' &&
    seen.destination === wanted.queue &&
    seen.routingKey === wanted.routingKey
  );
}
