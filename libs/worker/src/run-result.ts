import { summariseError } from '@warren/history';

/** Results are shown to people and waited for by callers: what is larger belongs elsewhere, with a reference to it here. */
export const MAX_RESULT_BYTES = 64 * 1024;

/** What a handler returned, as the history keeps it. */
export interface RunResult {
  /** JSON text. */
  readonly result?: string;
  /** Why there is none although the handler returned something. */
  readonly resultProblem?: string;
}

const NOTHING: RunResult = Object.freeze({});

/** Encodes what a handler returned. Never throws. */
export function encodeResult(value: unknown): RunResult {
  if (value === undefined) return NOTHING;
  try {
    // For a function or a symbol there is no text.
    const result = JSON.stringify(value) as string | undefined;
    if (result === undefined) return { resultProblem: `a ${typeof value} has no form in JSON` };
    const bytes = Buffer.byteLength(result);
    if (bytes <= MAX_RESULT_BYTES) return { result };
    return { resultProblem: `${bytes} bytes, more than the ${MAX_RESULT_BYTES} that are kept` };
  } catch (error) {
    return { resultProblem: `it has no form in JSON: ${summariseError(error).message}` };
  }
}
