import type { ReceivedMessage } from '@warren/broker';
import type { PayloadDefinition } from '@warren/contracts';
import type { HandlerRegistration } from './handle.ts';

/** What the payload is checked against; undefined for an event that nothing is known of. */
export function definitionOf(
  { definition, subscription }: HandlerRegistration,
  { type }: ReceivedMessage,
): PayloadDefinition | undefined {
  return subscription ? subscription.eventOf(type ?? '') : definition;
}

/** Names a job by its type; an event by its own name, where the message says it or only one can be meant. */
export function typeOf(
  { definition, subscription }: HandlerRegistration,
  { type }: ReceivedMessage,
): string {
  return subscription ? (type ?? subscription.eventOf('')?.type ?? '') : definition.type;
}
