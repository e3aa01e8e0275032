import type { JobDefinition } from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';
import type { LetterRecord } from './letter-record.ts';
import { payloadView } from './payload-view.ts';

/** A line of an export as it is, where that shows no personal data or may; else marked, since it cannot be put back. */
export async function redactRecord(
  record: LetterRecord,
  letter: DeadLetter,
  definition: JobDefinition | undefined,
  showPii: boolean,
): Promise<LetterRecord> {
  if (showPii || definition?.piiPaths.length === 0) return record;
  const { payload: _, bodyBase64: __, ...facts } = record;
  const view = await payloadView(letter, definition, false);
  return { ...facts, payload: view.payload ?? null, redacted: true };
}
