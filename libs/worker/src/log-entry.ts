import { redactTexts } from '@warren/contracts';
import { plainText } from '@warren/history';
import type { LogLine } from '@warren/telemetry';
import type { LogEntry } from './job-history.ts';

/** Longest line of a job's log, fields included, in bytes. */
export const MAX_LINE_BYTES = 16 * 1_024;

const CUT = '… [cut]';
const CUT_FIELD = '[cut]';
/** For the marks: there is always room for those. */
const MARK_BYTES = 32;
const MAX_MESSAGE_BYTES = MAX_LINE_BYTES - MARK_BYTES;

/** A line as the history keeps it: within bounds, marked where it is cut. Pure. */
export function toLogEntry(
  { level, message, fields }: LogLine,
  seq: number,
  redact: (text: string) => string,
): LogEntry {
  const text = cut(redact(message));
  const json =
    Object.keys(fields).length === 0 ? undefined : JSON.stringify(redactTexts(fields, redact));
  const roomBytes = MAX_LINE_BYTES - Buffer.byteLength(text);
  return { seq, level, message: text, fields: json && cutJson(json, roomBytes) };
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return plainText(text, MAX_MESSAGE_BYTES);
  return `${plainText(text, MAX_MESSAGE_BYTES - MARK_BYTES)}${CUT}`;
}

/** Stays JSON: what does not fit becomes one field that holds the beginning of all. */
function cutJson(json: string, maxBytes: number): string {
  if (Buffer.byteLength(json) <= maxBytes) return json;
  // Quotes and the like take two bytes once they stand in a text.
  const beginning = plainText(json, Math.max(0, Math.floor((maxBytes - MARK_BYTES) / 2)));
  return JSON.stringify({ [CUT_FIELD]: beginning });
}
