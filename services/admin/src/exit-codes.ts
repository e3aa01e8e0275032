import { ConfigInvalidError, WarrenError } from '@warren/contracts';

/** What the exit codes of the command mean; the help prints this table. */
export const EXIT_CODES = {
  0: 'all went well; no difference',
  1: 'it failed in part or in whole, or there is a difference',
  2: 'wrong use: an argument, an option or an environment variable',
  3: 'the broker or the store cannot be reached, was lost on the way, or accepts nothing',
} as const;

export type ExitCode = keyof typeof EXIT_CODES;

/** An argument cannot be used. The message names it. */
export class UsageError extends Error {}

const AWAY = new Set(['BROKER_UNAVAILABLE', 'BROKER_BLOCKED', 'STORE_UNAVAILABLE']);

/** The exit code for an error that ended the command. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError || error instanceof ConfigInvalidError) return 2;
  const code = error instanceof WarrenError ? error.code : undefined;
  return code !== undefined && AWAY.has(code) ? 3 : 1;
}
