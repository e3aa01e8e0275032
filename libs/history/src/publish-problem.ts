import { type ErrorCode, WarrenError } from '@warren/contracts';

/** What no later attempt would change. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PAYLOAD_TOO_LARGE',
  'HEADER_INVALID',
  'SHUTTING_DOWN',
]);

/** Will this publish fail however often it is repeated? */
export function isHopeless(error: unknown): boolean {
  return error instanceof WarrenError && HOPELESS.has(error.code);
}
