import {
  decodePayload,
  type JobDefinition,
  REDACTED,
  type Redact,
  redactorOf,
  redactPayload,
  validatePayload,
} from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';
import { errorOutline } from './error-outline.ts';

/** A dead letter as far as it may be shown. */
export interface RedactedLetter {
  /** Undefined where it cannot be read. */
  readonly payload?: unknown;
  /** Why there is no payload, or why not all of it is shown. */
  readonly note?: string;
  /** Makes of its error, which may quote the payload, what may be shown. */
  readonly redactError: Redact;
  /** The same for another text of it, such as a header. */
  readonly redactText: Redact;
}

/** What a dead letter is judged by. */
export type Redactable = Pick<DeadLetter, 'body' | 'contentEncoding' | 'payloadVersion'>;

const MAX_DEPTH = 32;
/** As a path, all of a payload. */
const WHOLE = '';

const asItIs: Redact = (text) => text;

/**
 * Takes the personal data out of a dead letter: what the job type marks where the payload fits its schema; else every value,
 * since then nobody can say which field holds what; and of one that cannot be read, every text. What is taken out of the
 * payload is taken out of its other texts, too: whoever wrote them may not have done so.
 * @param definition undefined where the job type is not known
 */
export async function redactLetter(
  letter: Redactable,
  definition: JobDefinition | undefined,
  showPii: boolean,
): Promise<RedactedLetter> {
  const isOpen = showPii || definition?.piiPaths.length === 0;
  let payload: unknown;
  try {
    payload = decodePayload(letter.body, letter.contentEncoding);
  } catch (error) {
    const note = `unreadable, ${letter.body.length} bytes: ${(error as Error).message}`;
    const shown = showPii ? { payload: letter.body.toString('utf8'), note } : { note };
    return { ...shown, ...(isOpen ? open : closed) };
  }
  if (isOpen) return { payload, ...open };
  if (!definition) return hidden(payload, 'its job type is not known here');
  if (!(await fits(definition, payload, letter))) {
    return hidden(payload, 'it does not fit the schema of its job type');
  }
  return {
    payload: redactPayload(payload, definition.piiPaths),
    ...alike(payload, definition.piiPaths),
  };
}

const open = { redactError: asItIs, redactText: asItIs };
const closed = { redactError: errorOutline, redactText: () => REDACTED };

function alike(payload: unknown, paths: readonly string[]) {
  const redact = redactorOf(payload, paths) ?? asItIs;
  return { redactError: redact, redactText: redact };
}

async function fits(
  job: JobDefinition,
  payload: unknown,
  letter: Pick<Redactable, 'payloadVersion'>,
): Promise<boolean> {
  if (letter.payloadVersion !== job.version) return false;
  try {
    await validatePayload(job, payload);
    return true;
  } catch {
    return false;
  }
}

function hidden(payload: unknown, because: string): RedactedLetter {
  const note = `values are hidden: ${because}`;
  return { payload: hideValues(payload, 0), note, ...alike(payload, [WHOLE]) };
}

/** Names of fields stay, and so does the shape. */
function hideValues(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) return value.map((item) => hideValues(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, hideValues(item, depth + 1)]),
  );
}
