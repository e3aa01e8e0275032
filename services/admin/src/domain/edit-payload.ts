import {
  decodePayload,
  encodePayload,
  type JobDefinition,
  PayloadInvalidError,
  upgradePayload,
  validatePayload,
} from '@warren/contracts';
import type { DeadLetter } from '@warren/dead-letter';
import { mergePatch } from './merge-patch.ts';

/** A payload before and after. */
export interface EditedPayload {
  readonly before: unknown;
  readonly after: unknown;
  readonly body: Buffer;
}

/**
 * Applies a merge patch to the payload of a dead letter, and checks what comes out as a worker would.
 * @throws PayloadInvalidError naming the fields, PayloadTooLargeError, MessageUnreadableError
 */
export async function editPayload(
  letter: Pick<DeadLetter, 'body' | 'contentEncoding' | 'payloadVersion'>,
  definition: JobDefinition,
  patch: unknown,
): Promise<EditedPayload> {
  const { payloadVersion: version } = letter;
  const before = decodePayload(letter.body, letter.contentEncoding);
  const after = mergePatch(before, patch);
  const body = encodePayload(definition, after);
  if (version > definition.version) {
    const message = `was published in version ${version}, and the schema here is of version ${definition.version}`;
    throw new PayloadInvalidError(definition.type, [{ path: '', message }]);
  }
  await validatePayload(definition, upgradePayload(definition, after, version));
  return { before, after, body };
}
