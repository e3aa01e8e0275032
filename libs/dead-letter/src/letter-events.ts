import { type Delivery, type ReceivedMessage, readMessage } from '@warren/broker';
import type { HistoryEvent } from '@warren/history';
import type { Names, Topology } from '@warren/topology';
import { placeOf, type ReplaySource } from './replay-source.ts';
import type { ReplayTarget } from './replay-target.ts';

/** What is told about a dead letter that somebody dealt with. */
export interface Deed {
  readonly kind: 'replayed' | 'discarded';
  /** Full name of the work queue that it goes to, or failed in. */
  readonly queue: string;
  readonly by?: string | undefined;
  readonly atMs: number;
}

/** What a job type has besides its own queue. */
const ENDING = /\.(?:suspect|high|low)$/;

/** The event of a replay or a discard; undefined for a message that does not say which job it is. */
export function letterEvent(
  { id, type, generation, attempt }: ReceivedMessage,
  { kind, queue: full, by, atMs }: Deed,
  { namespace }: Pick<Names, 'namespace'>,
): HistoryEvent | undefined {
  if (id === undefined) return undefined;
  const queue = withoutEnding(full, namespace);
  const job = { id, type: type ?? queue, queue, atMs, run: '', by };
  return kind === 'replayed'
    ? { kind, ...job, generation: generation + 1, attempt: 1 }
    : { kind, ...job, generation, attempt };
}

/** What is known of a replay besides its letter. */
export interface ReplayPlace {
  readonly topology: Pick<Topology, 'names'>;
  readonly source: ReplaySource;
  readonly to?: ReplayTarget | undefined;
}

/** A replay; of one that is sent elsewhere also that the job which failed has no dead letter any more. */
export function replayEvents(
  delivery: Pick<Delivery, 'message'>,
  { type, ...deed }: Omit<Deed, 'kind'> & { readonly type: string | undefined },
  { topology: { names }, source, to }: ReplayPlace,
): readonly HistoryEvent[] {
  const received = readMessage(delivery);
  const sent = { ...received, type: type ?? received.type };
  const replayed = letterEvent(sent, { ...deed, kind: 'replayed' }, names);
  if (!replayed || !to) return replayed ? [replayed] : [];
  const { origin, routingKey } = placeOf(delivery.message);
  const queue = origin ?? source.workQueue ?? routingKey;
  const left = letterEvent(received, { ...deed, kind: 'discarded', queue }, names);
  return left && left.queue !== replayed.queue ? [left, replayed] : [replayed];
}

function withoutEnding(full: string, namespace: string | undefined): string {
  const prefix = namespace === undefined ? '' : `${namespace}.`;
  const name = full.startsWith(prefix) ? full.slice(prefix.length) : full;
  return name.replace(ENDING, '');
}
