import { WarrenError } from '@warren/contracts';
import type { ErrorType } from './label-values.ts';

const BY_WARREN_CODE: Readonly<Record<string, ErrorType>> = {
  JOB_TIMEOUT: 'timeout',
  CALL_TIMEOUT: 'timeout',
  RETRY_AFTER: 'dependency',
  CIRCUIT_OPEN: 'dependency',
  BROKER_UNAVAILABLE: 'dependency',
  BROKER_BLOCKED: 'dependency',
  PUBLISH_REFUSED: 'dependency',
  PUBLISH_TIMEOUT: 'dependency',
  DELIVERY_LOST: 'aborted',
  SHUTTING_DOWN: 'aborted',
};

/** Codes of Node's and undici's own errors that say: the other side, or the way to it, is at fault. */
const NETWORK_CODE = /^(?:E(?:AI_|CONN|HOST|NET|PIPE|SOCKET|TIMEDOUT)|ENOTFOUND|UND_ERR_)/;

/**
 * The value of the label `error_type` for whatever a handler threw: one of a closed set, however many
 * different messages there are. Never throws.
 */
export function errorTypeOf(thrown: unknown): ErrorType {
  try {
    return thrown instanceof Error ? classify(thrown, 0) : '_OTHER';
  } catch {
    return '_OTHER';
  }
}

function classify(error: Error, depth: number): ErrorType {
  if (error instanceof WarrenError) return BY_WARREN_CODE[error.code] ?? 'handler';
  if (error.name === 'TimeoutError') return 'timeout';
  if (error.name === 'AbortError') return 'aborted';
  const code: unknown = Reflect.get(error, 'code');
  if (typeof code === 'string' && NETWORK_CODE.test(code)) return 'dependency';
  // fetch() throws a bare TypeError and hides the network error in its cause.
  if (error.cause instanceof Error && depth < 5) return classify(error.cause, depth + 1);
  return 'handler';
}
