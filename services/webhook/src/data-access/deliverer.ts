import type { IncomingMessage } from 'node:http';
import {
  type AddressRule,
  ForbiddenAddressError,
  guardedLookup,
  KeptConnections,
  openAnswer,
  type Resolve,
} from '@warren/outbound';
import { checkAnswer } from '../domain/check-answer.ts';
import { checkEndpoint, forbiddenAddressError } from '../domain/check-endpoint.ts';
import { DeliveryError } from '../domain/delivery-error.ts';
import { excerptOf } from './excerpt.ts';

export interface DelivererOptions {
  readonly mayAsk: AddressRule;
  readonly allowHttp: boolean;
  /** From the name to the head of the answer. */
  readonly timeoutMs: number;
  /** How names are found. Default: by DNS. */
  readonly resolve?: Resolve | undefined;
}

/** What is posted. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** An endpoint has taken it. */
export interface Delivered {
  readonly status: number;
  /** Until its head had come. */
  readonly durationMs: number;
  /** The first KiB of what it answered. */
  readonly response: string;
}

/** Posts to endpoints. */
export interface Deliverer {
  /** @throws NonRetryableError, RetryAfterError, DeliveryError; the signal's reason */
  deliver(delivery: Delivery, signal: AbortSignal): Promise<Delivered>;
  /** Ends the connections that are kept. */
  close(): void;
}

/** Name, connection and TLS together; less where an answer has less time. */
const CONNECT_TIMEOUT_MS = 10_000;
/** An endpoint that has said "taken" has as long to say more. */
const BODY_MS = 5_000;
/** Shorter than what most servers keep a connection for. */
const KEPT = { maxIdle: 100, idleMs: 4_000 };
const HEADERS = {
  'content-type': 'application/json',
  accept: '*/*',
  // Sizes are bounded by what comes over the wire: nothing is unpacked.
  'accept-encoding': 'identity',
  'user-agent': 'warren-webhook',
};

export function createDeliverer(options: DelivererOptions): Deliverer {
  const connections = new KeptConnections(KEPT);
  return {
    async deliver(delivery, signal) {
      const url = checkEndpoint(delivery.url, options);
      const startedMs = performance.now();
      const answer = await answerOf(url, delivery, options, connections, signal);
      const durationMs = Math.round(performance.now() - startedMs);
      const { statusCode: status = 0, headers } = answer;
      const { 'retry-after': retryAfter } = headers;
      try {
        checkAnswer(url.host, { status, retryAfter }, Date.now());
        return { status, durationMs, response: await excerptOf(answer, BODY_MS) };
      } finally {
        // One that was read to its end has given its connection back before.
        answer.destroy();
      }
    },
    close: () => connections.close(),
  };
}

async function answerOf(
  url: URL,
  { headers, body }: Delivery,
  { mayAsk, timeoutMs, resolve }: DelivererOptions,
  connections: KeptConnections,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    return await openAnswer(url, {
      headers: { ...HEADERS, ...headers },
      body,
      lookup: guardedLookup(mayAsk, resolve),
      connectTimeoutMs: Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
      agent: connections.agentFor(url),
      signal: AbortSignal.any([signal, deadline.signal]),
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ForbiddenAddressError) throw forbiddenAddressError(url.host);
    if (deadline.signal.aborted) {
      throw new DeliveryError(url.host, `did not answer within ${timeoutMs} ms`, true);
    }
    throw new DeliveryError(url.host, `could not be asked: ${problemOf(error)}`, true);
  } finally {
    clearTimeout(timer);
  }
}

/** Errors of sockets show addresses; what failed is said by their codes. */
function problemOf(error: unknown): string {
  const { code, name, message } = Object(error) as Record<string, unknown>;
  return String(name === 'ConnectTimeoutError' ? message : (code ?? name ?? 'unknown'));
}
