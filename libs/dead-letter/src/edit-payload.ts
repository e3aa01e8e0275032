import {
  decodePayload,
  encodePayload,
  type JobDefinition,
  UnknownJobTypeError,
} from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';
import { definitionOf, type KnownJobs } from './definition-of.ts';
import type { FoundSource } from './find-source.ts';
import { checkPayload, type Readable } from './fit-payload.ts';
import type { LetterChange } from './letter-change.ts';
import { mergePatch } from './merge-patch.ts';
import type { ReplayTarget } from './replay-target.ts';

/** A payload before and after. */
export interface EditedPayload {
  readonly before: unknown;
  readonly after: unknown;
  readonly body: Buffer;
}

/** How the payloads of a replay are corrected. */
export interface PayloadEdit {
  /** JSON merge patch (RFC 7396). */
  readonly patch: unknown;
  readonly source: Pick<FoundSource, 'jobType'>;
  readonly known: KnownJobs;
  /** Where they go, whose schema they must fit then. */
  readonly to?: ReplayTarget | undefined;
  /** Is told of each before it is sent; it is not sent when this rejects. */
  readonly onEdited?: ((letter: DeadLetter, edited: EditedPayload) => Promise<void>) | undefined;
}

/**
 * What has a replay correct the payload of each dead letter. It rejects for one whose corrected payload does not fit, as
 * `editPayload` does, and with an UnknownJobTypeError where no schema is known that could tell.
 */
export function editEach(edit: PayloadEdit): NonNullable<LetterChange['rewrite']> {
  const { patch, source, known, to, onEdited } = edit;
  return async (letter) => {
    const job = to ? to.job : definitionOf(letter, source, known);
    if (!job) {
      const types = known.jobs.map(({ type }) => type);
      throw new UnknownJobTypeError(to?.queue ?? letter.type ?? '(no type)', types);
    }
    const edited = await editPayload(letter, job, patch);
    await onEdited?.(letter, edited);
    return edited.body;
  };
}

/**
 * Applies a merge patch to the payload of a dead letter, and checks what comes out as a worker would.
 * @throws PayloadInvalidError naming the fields, PayloadTooLargeError, MessageUnreadableError
 */
export async function editPayload(
  letter: Readable,
  definition: JobDefinition,
  patch: unknown,
): Promise<EditedPayload> {
  const before = decodePayload(letter.body, letter.contentEncoding);
  const after = mergePatch(before, patch);
  const body = encodePayload(definition, after);
  await checkPayload(after, letter.payloadVersion, definition);
  return { before, after, body };
}
