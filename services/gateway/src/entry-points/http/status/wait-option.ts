import { ConfigInvalidError, type Duration, durationToMs } from '@warren/contracts';
import { badFields } from '../http-error.ts';

const MAX_WAIT_MS = 60_000;

/**
 * How long a request wants to wait; 0 where it does not.
 * @throws HttpError 400 that names it
 */
export function waitMsIn(text: string | undefined): number {
  if (text === undefined) return 0;
  try {
    const ms = durationToMs(text as Duration, '');
    if (ms <= MAX_WAIT_MS) return ms;
  } catch (error) {
    if (!(error instanceof ConfigInvalidError)) throw error;
  }
  throw badFields([
    { field: 'query.wait', message: "expected a duration such as '30s', at most 60s" },
  ]);
}
