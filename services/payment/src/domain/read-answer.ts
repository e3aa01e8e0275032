import { NonRetryableError, RetryAfterError } from '@warren/contracts';
import { retryAfterMs } from '@warren/retry';
import type { Charged, ChargeRequest } from './charge.ts';
import { PaymentError } from './payment-error.ts';

/** A provider's answer. */
export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** As JSON; undefined where it is none, or did not come as a whole. */
  readonly body: unknown;
}

const CHARGED = [200, 201];
const DECLINED = [402, 422];
/** Of the 4xx, these speak of now, or of this service's key, and not of the charge. */
const PASSING = [401, 403, 408, 425, 429];
/** Somebody asks for this very charge at the moment: what came of it can be asked soon. */
const IN_PROGRESS = 409;
const IN_PROGRESS_MS = 2_000;

/**
 * The charge that the provider made.
 * @throws NonRetryableError where it will not make it another time, RetryAfterError where it named a time or has it in
 * progress, PaymentError where it has to be asked again
 */
export function readAnswer(answer: Answer, request: ChargeRequest, nowMs: number): Charged {
  const { status, body } = answer;
  if (CHARGED.includes(status)) return chargedOf(body, request);
  const problem = `the provider answered ${status}${codeOf(body)}`;
  if (DECLINED.includes(status)) throw new NonRetryableError(`payment: declined: ${problem}`);
  const delayMs = retryAfterMs(answer.retryAfter, nowMs);
  if (status === IN_PROGRESS) {
    throw new RetryAfterError(delayMs ?? IN_PROGRESS_MS, `payment: in progress: ${problem}`);
  }
  if (status >= 400 && status < 500 && !PASSING.includes(status)) {
    throw new NonRetryableError(`payment: refused: ${problem}`);
  }
  if (delayMs === undefined) throw new PaymentError(problem);
  throw new RetryAfterError(delayMs, `payment: ${problem} and named a time`);
}

function chargedOf(body: unknown, { orderId, amount, currency }: ChargeRequest): Charged {
  const { id, ...said } = Object(body) as Record<string, unknown>;
  if (typeof id !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(id)) {
    throw new PaymentError('the provider names no charge; whether it charged is unknown');
  }
  // Under this key it has charged for another payload: to go on would hide it.
  for (const [name, asked] of Object.entries({ amount, currency })) {
    if (said[name] !== undefined && said[name] !== asked) {
      throw new NonRetryableError(`payment: the provider says that it charged another ${name}`);
    }
  }
  return { chargeId: id, orderId, amount, currency };
}

/** The provider's word for what is wrong, if it is a word. */
function codeOf(body: unknown): string {
  const { code } = Object(body) as Record<string, unknown>;
  return typeof code === 'string' && /^[a-z][a-z0-9_.-]{0,59}$/.test(code) ? ` (${code})` : '';
}
