import type { Charged, ChargeRequest } from '../domain/charge.ts';
import { PaymentError } from '../domain/payment-error.ts';
import { type Answer, readAnswer } from '../domain/read-answer.ts';

export interface ProviderOptions {
  readonly url: string;
  readonly key: string;
  /** From the first byte of the request to the last of the answer. */
  readonly timeoutMs: number;
}

/**
 * Asks for a charge under a key; under the same key again it is the same charge.
 * @throws NonRetryableError, RetryAfterError, PaymentError; the signal's reason
 */
export type RequestCharge = (
  request: ChargeRequest,
  key: string,
  signal: AbortSignal,
) => Promise<Charged>;

const MAX_ANSWER_BYTES = 64 * 1024;

export function createProviderClient({ url, key, timeoutMs }: ProviderOptions): RequestCharge {
  const charges = `${url.replace(/\/+$/, '')}/charges`;
  return async (request, idempotencyKey, signal) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const within = AbortSignal.any([signal, deadline]);
    try {
      const response = await fetch(charges, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(request),
        // A POST that is sent on becomes a GET, or takes the key elsewhere.
        redirect: 'manual',
        signal: within,
      });
      return readAnswer(await answerOf(response), request, Date.now());
    } catch (error) {
      throw failureOf(error, signal, deadline, timeoutMs);
    }
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response;
  // What is said by the status alone needs no body.
  const body = await jsonOf(response).catch((error: unknown) => {
    if (response.ok) throw error;
    return undefined;
  });
  return { status, retryAfter: headers.get('retry-after') ?? undefined, body };
}

async function jsonOf({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new PaymentError('the answer is too long');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

/** Errors of sockets show addresses; what failed is said by their codes. */
function failureOf(
  error: unknown,
  signal: AbortSignal,
  deadline: AbortSignal,
  timeoutMs: number,
): unknown {
  const { name, cause } = Object(error) as { name?: unknown; cause?: unknown };
  const isOwn = name !== 'TypeError' && name !== 'TimeoutError' && name !== 'AbortError';
  if (isOwn && !signal.aborted) return error;
  if (signal.aborted) return signal.reason;
  const unknown = 'whether it charged is unknown';
  if (deadline.aborted) return new PaymentError(`no answer within ${timeoutMs} ms; ${unknown}`);
  const { code } = Object(cause) as { code?: unknown };
  return new PaymentError(`no answer: ${String(code ?? 'the connection failed')}; ${unknown}`);
}
