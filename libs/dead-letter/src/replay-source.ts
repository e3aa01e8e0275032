import type { Delivery } from '@warren/broker';
import type { Topology } from '@warren/topology';
import { originOf } from './dead-letter.ts';

/** Where dead letters are replayed from. */
export interface ReplaySource {
  /** Full name of the queue that holds them. */
  readonly queue: string;
  /** Full name of the work queue whose dead letters it holds; undefined for the unroutable, which belong to none. */
  readonly workQueue: string | undefined;
}

/** Whatever a job type has, also one that the topology does not know. */
const ENDINGS = ['', '.high', '.low', '.suspect'];

/** All from which jobs of a job type or subscriber run, by the full name of its work queue. */
export function queuesOfType(workQueue: string): readonly string[] {
  return ENDINGS.map((ending) => `${workQueue}${ending}`);
}

/** The queues that a replay may go to: those of the topology that are worked, and those of the source itself. */
export function replayTargets(
  { queues }: Pick<Topology, 'queues'>,
  { workQueue }: ReplaySource,
): ReadonlySet<string> {
  const worked = queues.filter(({ role }) => role === 'work' || role === 'suspect');
  const own = workQueue === undefined ? [] : queuesOfType(workQueue);
  return new Set([...worked.map(({ name }) => name), ...own]);
}

/** What a dead letter says of where it belongs. */
export interface LetterPlace {
  readonly origin: string | undefined;
  readonly routingKey: string;
}

export function placeOf(message: Delivery['message']): LetterPlace {
  return { origin: originOf(message), routingKey: message.fields.routingKey };
}

/** The queue that a dead letter goes back to: the one it failed in if that is known, else the source's. */
export function targetOf(
  letter: LetterPlace,
  { workQueue }: ReplaySource,
  targets: ReadonlySet<string>,
): string | undefined {
  if (letter.origin !== undefined && targets.has(letter.origin)) return letter.origin;
  if (workQueue !== undefined) return workQueue;
  // Unroutable: its exchange named the queue that it was meant for.
  return targets.has(letter.routingKey) ? letter.routingKey : undefined;
}
