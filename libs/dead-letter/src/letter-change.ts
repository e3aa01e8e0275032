import { WarrenError } from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';
import { checkFit } from './fit-payload.ts';
import type { ReplayTarget } from './replay-target.ts';

/** What a replay changes about each dead letter. */
export interface LetterChange {
  /** Sends all to this queue; those that its job type's schema does not fit stay where they are. */
  readonly to?: ReplayTarget | undefined;
  /**
   * Gives another body to each, such as a corrected one. What it rejects with, if that is about the payload, leaves the dead
   * letter where it is.
   */
  readonly rewrite?: ((letter: DeadLetter) => Promise<Buffer>) | undefined;
}

/** Whether there is anything to look at in a payload. */
export function changesPayload({ to, rewrite }: LetterChange): boolean {
  return to?.job !== undefined || rewrite !== undefined;
}

/**
 * The body that a dead letter is replayed with; undefined for its own.
 * @throws PayloadInvalidError and others, of which `isAboutLetter` tells
 */
export async function changedBody(
  letter: DeadLetter,
  { to, rewrite }: LetterChange,
): Promise<Buffer | undefined> {
  const body = await rewrite?.(letter);
  if (to?.job) await checkFit(body ? { ...letter, body } : letter, to.job);
  return body;
}

const ABOUT_LETTER: ReadonlySet<string> = new Set([
  'UNROUTABLE',
  'PUBLISH_REFUSED',
  'HEADER_INVALID',
  'PAYLOAD_TOO_LARGE',
  'PAYLOAD_INVALID',
  'MESSAGE_UNREADABLE',
  'UNKNOWN_JOB_TYPE',
  'STORE_UNAVAILABLE',
]);

/** Is it this dead letter that cannot be taken? Else none can be. */
export function isAboutLetter(error: unknown): boolean {
  return error instanceof WarrenError && ABOUT_LETTER.has(error.code);
}
