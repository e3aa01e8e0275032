import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { retryAfterMs } from '@warren/retry';
import { DeliveryError } from './delivery-error.ts';

/** The head of an endpoint's answer. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

const GONE = 410;
/** Both may name a time: too many requests, and unavailable. */
const NAMING_A_TIME = [429, 503];
/** Timeout, too many requests: of the 4xx, these speak of the host. */
const OVERLOADED = [408, 429];

/**
 * Passes for 2xx, and for nothing else. Whatever an endpoint says besides "gone" may be a fault of its own that is mended
 * soon: a route that is not deployed yet, a secret that is not known yet.
 * @throws NonRetryableError for an endpoint that is gone, RetryAfterError where it named a time, DeliveryError for the rest
 */
export function checkAnswer(host: string, { status, retryAfter }: Answer, nowMs: number): void {
  if (status >= 200 && status < 300) return;
  if (status === GONE) {
    throw new NonRetryableError(
      `webhook: ${host} answered 410: the endpoint is gone, disable it and send it nothing more`,
    );
  }
  const delayMs = NAMING_A_TIME.includes(status) ? retryAfterMs(retryAfter, nowMs) : undefined;
  if (delayMs !== undefined) {
    throw new RetryAfterError(delayMs, `webhook: ${host} answered ${status} and named a time`);
  }
  if (status >= 300 && status < 400) {
    throw new DeliveryError(
      host,
      `answered ${status}: redirects are not followed, give the endpoint's own URL`,
      false,
    );
  }
  throw new DeliveryError(host, `answered ${status}`, status >= 500 || OVERLOADED.includes(status));
}
