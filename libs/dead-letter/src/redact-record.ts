import { HEADERS, type JobDefinition, redactTexts } from '@warren/contracts';
import type { DeadLetter } from './dead-letter.ts';
import type { LetterRecord } from './letter-record.ts';
import { isScalar, withoutBytes } from './record-headers.ts';
import { redactLetter } from './redact-letter.ts';

const OWN: ReadonlySet<string> = new Set(Object.values(HEADERS));

/** A line of an export as it is, where that shows no personal data or may; else marked, since it cannot be put back. */
export async function redactRecord(
  record: LetterRecord,
  letter: DeadLetter,
  definition: JobDefinition | undefined,
  showPii: boolean,
): Promise<LetterRecord> {
  if (showPii || definition?.piiPaths.length === 0) return record;
  const { payload: _, bodyBase64: __, ...facts } = record;
  const { payload, redactError, redactText } = await redactLetter(letter, definition, false);
  return {
    ...facts,
    headers: Object.fromEntries(
      Object.entries(record.headers).map(([name, value]) => {
        if (name === HEADERS.error) return [name, redactError(String(value))];
        const isOurs = OWN.has(name) && isScalar(value);
        return [name, isOurs ? value : redactTexts(withoutBytes(value), redactText)];
      }),
    ) as LetterRecord['headers'],
    payload: payload ?? null,
    redacted: true,
  };
}
