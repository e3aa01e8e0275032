import type { JobDefinition } from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';
import { type Redactable, redactLetter } from './redact-letter.ts';

/** What may be shown of the payload of a dead letter, and of its error. */
export interface LetterView {
  readonly payload?: unknown;
  /** Why there is no payload, or why not all of it is shown. */
  readonly note?: string;
  /** As in `DeadLetter`. */
  readonly error: string | undefined;
}

/** Payload and error of a dead letter, without the personal data unless that is to be shown. */
export async function letterView(
  letter: Redactable & Pick<DeadLetter, 'error'>,
  definition: JobDefinition | undefined,
  showPii: boolean,
): Promise<LetterView> {
  const { redactError, redactText: _, ...view } = await redactLetter(letter, definition, showPii);
  return { ...view, error: letter.error && redactError(letter.error) };
}
