import {
  decodePayload,
  type JobDefinition,
  REDACTED,
  redactPayload,
  validatePayload,
} from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';

/** What may be shown of a payload. */
export interface PayloadView {
  readonly payload?: unknown;
  /** Why there is no payload, or why not all of it is shown. */
  readonly note?: string;
}

const MAX_DEPTH = 32;

/**
 * The payload of a dead letter with personal data redacted: what the job type marks where the payload fits its schema,
 * else every value, since then nobody can say which field holds what.
 */
export async function payloadView(
  letter: DeadLetter,
  definition: JobDefinition | undefined,
  showPii: boolean,
): Promise<PayloadView> {
  let payload: unknown;
  try {
    payload = decodePayload(letter.body, letter.contentEncoding);
  } catch (error) {
    const note = `unreadable, ${letter.body.length} bytes: ${(error as Error).message}`;
    return showPii ? { payload: letter.body.toString('utf8'), note } : { note };
  }
  if (showPii) return { payload };
  if (!definition) return hidden(payload, 'its job type is not known here');
  if (definition.piiPaths.length === 0) return { payload };
  if (!(await fits(definition, payload, letter))) {
    return hidden(payload, 'it does not fit the schema of its job type');
  }
  return { payload: redactPayload(payload, definition.piiPaths) };
}

async function fits(job: JobDefinition, payload: unknown, letter: DeadLetter): Promise<boolean> {
  if (letter.payloadVersion !== job.version) return false;
  try {
    await validatePayload(job, payload);
    return true;
  } catch {
    return false;
  }
}

function hidden(payload: unknown, because: string): PayloadView {
  return { payload: hideValues(payload, 0), note: `values are hidden: ${because}` };
}

/** Names of fields stay, and so does the shape. */
function hideValues(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => hideValues(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, hideValues(item, depth + 1)]),
  );
}
