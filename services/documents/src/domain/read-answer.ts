import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { retryAfterMs } from '@warren/retry';
import { DownloadError } from './download-error.ts';

/** The head of a server's answer. */
export interface Answer {
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
}

/** What to do with it: read its body, or ask elsewhere. */
export type Verdict = { readonly kind: 'body' } | { readonly kind: 'redirect'; to: string };

const REDIRECTS = [301, 302, 303, 307, 308];
/** Timeout, too early, too many requests: of the 4xx, these speak of now and not of the document. */
const PASSING = [408, 425, 429];

/**
 * @throws NonRetryableError where the server will not have the document another time, RetryAfterError where it named a
 * time, DownloadError where it may have it later
 */
export function readAnswer({ status, location, retryAfter }: Answer, nowMs: number): Verdict {
  if (status === 200) return { kind: 'body' };
  if (REDIRECTS.includes(status) && location !== undefined)
    return { kind: 'redirect', to: location };
  const problem = `the server answered ${status}`;
  if (status < 500 && !PASSING.includes(status)) {
    throw new NonRetryableError(`download: ${problem}`);
  }
  const delayMs = retryAfterMs(retryAfter, nowMs);
  if (delayMs === undefined) throw new DownloadError(problem);
  throw new RetryAfterError(delayMs, `download: ${problem} and named a time`);
}
