import type { ReceivedMessage } from '@warren/broker';
import { newJobId } from '@warren/contracts';

/** A message with an id: those of foreign programs may come without. */
export type Identified = ReceivedMessage & { readonly id: string };

export function isIdentified(message: ReceivedMessage): message is Identified {
  return message.id !== undefined;
}

/** The message, with a fresh id where it had none. */
export function identified(message: ReceivedMessage): Identified {
  return isIdentified(message) ? message : { ...message, id: newJobId() };
}
