import type { IncomingMessage } from 'node:http';
import type { LookupFunction } from 'node:net';
import { NonRetryableError, WarrenError } from '@warren/contracts';
import {
  anyAddress,
  ConnectTimeoutError,
  ForbiddenAddressError,
  guardedLookup,
  openAnswer,
  publicAddresses,
} from '@warren/outbound';
import { checkTarget, privateAddressError } from '../domain/check-target.ts';
import { DownloadError } from '../domain/download-error.ts';
import { onlyPdf, tooLarge } from '../domain/only-pdf.ts';
import { readAnswer } from '../domain/read-answer.ts';

export interface DownloadLimits {
  readonly maxBytes: number;
  /** From the first request to the last byte, redirects included. */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Whether addresses that are not public may be asked. */
  readonly allowPrivate: boolean;
  /** How names are found where only public addresses may be asked. Default: by DNS. */
  readonly lookup?: LookupFunction;
}

/** A PDF on its way. */
export interface Incoming {
  /** As the server says; undefined where it does not. */
  readonly expectedBytes: number | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Downloads a PDF: hands what comes to `take` while it comes, and resolves as `take` does.
 * @throws NonRetryableError, RetryAfterError, DownloadError; the signal's reason; what `take` throws
 */
export type Download = <Result>(
  url: string,
  take: (incoming: Incoming) => Promise<Result>,
  signal: AbortSignal,
) => Promise<Result>;

const MAX_REDIRECTS = 5;
const HEADERS = {
  accept: 'application/pdf',
  // Sizes are bounded by what comes over the wire: nothing is unpacked.
  'accept-encoding': 'identity',
  'user-agent': 'warren-documents',
};
const onlyPublic = publicAddresses();

export function createDownloader(limits: DownloadLimits): Download {
  return async (url, take, signal) => {
    const deadline = AbortSignal.timeout(limits.timeoutMs);
    const within = AbortSignal.any([signal, deadline]);
    try {
      const answer = await followRedirects(url, limits, within);
      try {
        return await take({ expectedBytes: sizeOf(answer), body: bodyOf(answer, limits) });
      } finally {
        answer.destroy();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!deadline.aborted) throw error;
      throw new DownloadError(`not done within ${limits.timeoutMs} ms`);
    }
  };
}

async function followRedirects(
  text: string,
  limits: DownloadLimits,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { allowPrivate, connectTimeoutMs } = limits;
  const lookup = allowPrivate ? undefined : (limits.lookup ?? guardedLookup(onlyPublic));
  let url = checkTarget(text, ruleOf(limits));
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const options = { headers: HEADERS, lookup, connectTimeoutMs, signal };
    const answer = await openAnswer(url, options).catch(throwWithoutUrl);
    const next = nextOf(answer, url, limits);
    if (!next) return answer;
    url = next;
  }
  throw new NonRetryableError(`download: more than ${MAX_REDIRECTS} redirects`);
}

const ruleOf = ({ allowPrivate }: DownloadLimits) => (allowPrivate ? anyAddress : onlyPublic);

/** Where to ask next; undefined where this answer is the document. */
function nextOf(answer: IncomingMessage, url: URL, limits: DownloadLimits): URL | undefined {
  let isBody = false;
  try {
    const { statusCode: status = 0, headers } = answer;
    const { 'retry-after': retryAfter } = headers;
    // Node reads headers as Latin-1; servers that write more than ASCII mean UTF-8.
    const location = headers.location && Buffer.from(headers.location, 'latin1').toString();
    const verdict = readAnswer({ status, location, retryAfter }, Date.now());
    if (verdict.kind === 'redirect') return checkTarget(verdict.to, ruleOf(limits), url);
    if ((sizeOf(answer) ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
    isBody = true;
    return undefined;
  } finally {
    if (!isBody) answer.destroy();
  }
}

function sizeOf({ headers }: IncomingMessage): number | undefined {
  const size = Number(headers['content-length']);
  return size > 0 ? size : undefined;
}

async function* bodyOf(answer: IncomingMessage, { maxBytes }: DownloadLimits) {
  try {
    yield* onlyPdf(answer, maxBytes);
  } catch (error) {
    throwWithoutUrl(error);
  }
}

/** Errors of sockets and names show addresses and names. */
function throwWithoutUrl(error: unknown): never {
  if (error instanceof WarrenError || error instanceof DownloadError) throw error;
  if (error instanceof ForbiddenAddressError) throw privateAddressError();
  if (error instanceof ConnectTimeoutError) throw new DownloadError(error.message);
  const { code, name } = Object(error) as Record<string, unknown>;
  throw new DownloadError(`failed: ${String(code ?? name ?? 'unknown')}`);
}
