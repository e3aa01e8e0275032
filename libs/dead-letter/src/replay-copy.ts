import {
  copyMessage,
  type Original,
  type OutgoingMessage,
  type ReceivedMessage,
} from '@warren/broker';
import { newJobId } from '@warren/contracts';

/** Where the copy of a dead letter goes. */
export interface ReplayWay {
  readonly exchange: string;
  /** Full name. */
  readonly queue: string;
  /** The job type that it is of from now on; undefined where it stays of its own. */
  readonly type?: string | undefined;
}

/**
 * The message that a replay publishes: the same job one generation later, with all its attempts. It ages from now, since
 * what has become too old would be a dead letter again at once; for the same reason it does not expire any more. It has all
 * headers of the publisher: one that cannot be published with them stays a dead letter, and somebody is told.
 * @param span of the replay, as a header names it; a job without a trace begins one with it
 */
export function replayCopy(
  delivery: Original,
  received: ReceivedMessage,
  to: ReplayWay,
  nowMs: number,
  span?: string,
): OutgoingMessage {
  const id = received.id ?? newJobId();
  return copyMessage(
    delivery,
    { ...received, id, type: to.type ?? received.type },
    {
      exchange: to.exchange,
      routingKey: to.queue,
      foreignHeaders: 'all',
      headers: {
        attempt: undefined,
        generation: received.generation + 1,
        snoozes: undefined,
        notBefore: undefined,
        expiresAt: undefined,
        error: undefined,
        publishedAt: nowMs,
        replayOf: received.id,
        ...(span && { traceparent: received.traceparent ?? span, previousSpan: span }),
      },
    },
  );
}

/** Was this dead letter replayed since `startedAtMs`, and has failed again? Both times are of the same clock. */
export function cameBack(
  { generation, publishedAtMs }: ReceivedMessage,
  startedAtMs: number,
  nowMs: number,
): boolean {
  if (generation === 0 || publishedAtMs === undefined) return false;
  return publishedAtMs >= startedAtMs && publishedAtMs <= nowMs;
}
