import type { Topology } from '@warren/topology';
import type { Management } from '../data-access/management.ts';

/** A queue of the installation that no job type of it declares any more. */
export interface UndeclaredQueue {
  readonly name: string;
  /** Those in somebody's hand too; absent where the broker has not counted them yet. */
  readonly messages?: number | undefined;
  readonly consumers?: number | undefined;
}

type Known = Pick<Topology, 'names' | 'queues'>;

const OF_ONE_TYPE = /\.(?:high|low|suspect|dead)$/;

/**
 * Of the queues that a broker has, those that belong to the installation, by the bindings that only its queues have or by its
 * namespace, and that it does not declare. Not those of subscribers, which their services declare, nor what a migration or a
 * replay uses for a while.
 */
export async function findUndeclared(
  { names, queues }: Known,
  management: Management,
  seen: readonly UndeclaredQueue[],
): Promise<UndeclaredQueue[]> {
  const declared = new Set(queues.map(({ name }) => name));
  const [due, dead, events] = await Promise.all(
    [names.due, names.dead, names.events].map((exchange) => management.bindingsFrom(exchange)),
  );
  const bound = new Set([
    ...namesOf(due, ({ destination, routingKey }) => destination === routingKey),
    ...namesOf(dead, ({ destination, routingKey }) => destination === `${routingKey}.dead`),
  ]);
  const subscribers = new Set(namesOf(events, () => true));
  const prefix = names.namespace === undefined ? undefined : `${names.namespace}.`;
  const isOwn = (name: string) =>
    bound.has(name) || (prefix !== undefined && name.startsWith(prefix));
  return seen
    .filter(({ name }) => isOwn(name) && !declared.has(name))
    .filter(({ name }) => !subscribers.has(name.replace(OF_ONE_TYPE, '')))
    .filter(({ name }) => !name.startsWith(`${prefix ?? ''}jobs.`))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Binding = Awaited<ReturnType<Management['bindingsFrom']>>[number];

function namesOf(bindings: readonly Binding[] = [], fits: (binding: Binding) => boolean): string[] {
  return bindings
    .filter((binding) => binding.destinationType === 'queue' && fits(binding))
    .map(({ destination }) => destination);
}
