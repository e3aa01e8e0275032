import type { OutgoingMessage } from '@warren/broker';
import { ConfigInvalidError, encodeCancelRequest, newJobId } from '@warren/contracts';

/** Which job is meant, and who asks. */
export interface CancelOptions {
  /** The job type, or the subscriber of an event; without one, whatever has the id. */
  readonly queue?: string | undefined;
  /** This generation and those before it. Default: all. */
  readonly generation?: number | undefined;
  /** Who asks; it is kept with the job. */
  readonly by?: string | undefined;
}

const OPTIONS = ['queue', 'generation', 'by'];
const MAX_TEXT = 255;

/**
 * The message that asks the workers to end a job.
 * @throws ConfigInvalidError naming `id` or the option
 */
export function cancelMessage(
  stream: string,
  service: string,
  id: string,
  options: CancelOptions,
  nowMs: number,
): OutgoingMessage {
  checkName('id', id);
  for (const name in options) {
    if (!OPTIONS.includes(name)) {
      throw new ConfigInvalidError(name, `unknown option (known: ${OPTIONS.join(', ')})`);
    }
  }
  const { queue, generation, by } = options;
  if (queue !== undefined) checkName('queue', queue);
  if (by !== undefined) checkName('by', by);
  if (generation !== undefined && !(Number.isSafeInteger(generation) && generation >= 0)) {
    throw new ConfigInvalidError('generation', `expected a whole number from 0, got ${generation}`);
  }
  return {
    exchange: '',
    routingKey: stream,
    body: encodeCancelRequest({ id, queue, generation, by, atMs: nowMs }),
    properties: {
      messageId: newJobId(),
      contentType: 'application/json',
      appId: service,
      persistent: true,
      mandatory: true,
    },
  };
}

function checkName(name: string, value: unknown): void {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT) {
    throw new ConfigInvalidError(name, `expected text of 1 to ${MAX_TEXT} characters`);
  }
}
