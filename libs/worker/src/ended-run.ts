import type { Outcome } from '@warren/retry';
import { type ProcessSpan, redactUrlsIn } from '@warren/telemetry';
import { redactedError } from './redacted-error.ts';

/** A run that is over; where `run` is empty, the end of a job that was not begun. */
export interface EndedRun {
  /** A UUIDv7: later runs sort after earlier ones. */
  readonly run: string;
  readonly durationMs: number;
  readonly outcome: Outcome;
  /** Hides the payload's personal data in a text. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Undefined while spans are not collected. */
  readonly span?: ProcessSpan | undefined;
}

/** What was thrown, or why there was no run; undefined where nothing was. */
export function errorOf({ outcome }: EndedRun): unknown {
  return 'error' in outcome ? outcome.error : undefined;
}

/** The same as it may be told: without the payload's personal data, and without the passwords of URLs. */
export function shownErrorOf(ended: EndedRun): unknown {
  const { redact } = ended;
  const error = errorOf(ended);
  if (error === undefined) return undefined;
  return redactedError(error, redact ? (text) => redactUrlsIn(redact(text)) : redactUrlsIn);
}
