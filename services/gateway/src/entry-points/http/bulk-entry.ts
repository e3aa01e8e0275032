import type { BulkEntry } from '../../domain/accept-bulk.ts';
import { parseJobEnvelope } from './envelope.ts';
import { HttpError } from './http-error.ts';
import { toJobRequest } from './job-request.ts';
import { parseJson } from './json-body.ts';
import type { Line } from './ndjson-lines.ts';
import { tooLarge } from './read-body.ts';

/** One item of a bulk request: the job that it asks for, or the HttpError that says what is wrong with it. */
export function toBulkEntry(
  parse: () => unknown,
  bytes: number,
  requestId: string | undefined,
): BulkEntry {
  try {
    return { request: toJobRequest(parseJobEnvelope(parse()), requestId), bytes };
  } catch (error) {
    if (error instanceof HttpError) return { error };
    throw error;
  }
}

/** One line of a bulk request. */
export function lineToBulkEntry(
  line: Line,
  limitBytes: number,
  requestId: string | undefined,
): BulkEntry {
  if (!line) return { error: tooLarge('the line', limitBytes) };
  return toBulkEntry(() => parseJson(line, 'the line'), line.length, requestId);
}
