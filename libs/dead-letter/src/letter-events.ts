import type { ReceivedMessage } from '@warren/broker';
import type { HistoryEvent } from '@warren/history';
import type { Names } from '@warren/topology';

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

function withoutEnding(full: string, namespace: string | undefined): string {
  const prefix = namespace === undefined ? '' : `${namespace}.`;
  const name = full.startsWith(prefix) ? full.slice(prefix.length) : full;
  return name.replace(ENDING, '');
}
