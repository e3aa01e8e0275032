import {
  decodePayload,
  type JobDefinition,
  PayloadInvalidError,
  upgradePayload,
  validatePayload,
} from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';

/** What of a dead letter says how its payload is to be read. */
export type Readable = Pick<DeadLetter, 'body' | 'contentEncoding' | 'payloadVersion'>;

/**
 * Checks the payload of a dead letter as a worker would.
 * @throws PayloadInvalidError naming the fields, MessageUnreadableError
 */
export async function checkFit(letter: Readable, job: JobDefinition): Promise<void> {
  const payload = decodePayload(letter.body, letter.contentEncoding);
  await checkPayload(payload, letter.payloadVersion, job);
}

/** The same of a payload that was read. @throws PayloadInvalidError naming the fields */
export async function checkPayload(
  payload: unknown,
  version: number,
  job: JobDefinition,
): Promise<void> {
  if (version > job.version) {
    const message = `was published in version ${version}, and the schema here is of version ${job.version}`;
    throw new PayloadInvalidError(job.type, [{ path: '', message }]);
  }
  await validatePayload(job, upgradePayload(job, payload, version));
}
