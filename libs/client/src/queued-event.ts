import type { OutgoingMessage } from '@warren/broker';
import { HEADERS } from '@warren/contracts';
import type { HistoryEvent } from '@warren/history';

/** What the history is told of a job that the broker has confirmed just now; undefined for what names no job type. */
export function queuedEvent(
  { properties }: OutgoingMessage,
  atMs: number,
): HistoryEvent | undefined {
  const { messageId, type, appId, correlationId, headers } = properties;
  if (type === undefined) return undefined;
  const dueAtMs: unknown = headers?.[HEADERS.notBefore];
  // Other ids tell it themselves.
  const createdAtMs: unknown = headers?.[HEADERS.publishedAt];
  return {
    kind: 'queued',
    id: messageId,
    type,
    queue: type,
    atMs,
    generation: 0,
    attempt: 1,
    run: '',
    service: appId ?? '',
    correlationId,
    ...(typeof dueAtMs === 'number' && { dueAtMs }),
    ...(typeof createdAtMs === 'number' && { createdAtMs }),
  };
}
