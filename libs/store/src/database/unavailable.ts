import { StoreUnavailableError, WarrenError } from '@warren/contracts';

/** SQLSTATE classes and codes by which the server says: not now. */
const AWAY =
  /^(?:08|28|53|57P|25006|3D000|58)|^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST|ENET|ENOENT|EACCES)/;

/** `query_canceled` and `lock_not_available`: a statement, or a lock, was waited for as long as may be. */
const OUT_OF_TIME = new Set(['57014', '55P03']);

/** What `pg` says without a code. */
const AWAY_TEXT =
  /connection terminated|connection error|timeout exceeded|read timeout|not queryable|server does not support ssl|end of connection|after calling end|has been closed|PGlite is closed/i;

/** `deadlock_detected` and `serialization_failure`: the transaction may be repeated. */
const IN_THE_WAY = new Set(['40P01', '40001']);

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}

/** Whether a failure says that the database is away, rather than that a statement is wrong. */
export function isAway(error: unknown): boolean {
  if (AWAY.test(codeOf(error)) || OUT_OF_TIME.has(codeOf(error))) return true;
  return error instanceof Error && AWAY_TEXT.test(error.message);
}

/** Whether another transaction was in the way. */
export function isInTheWay(error: unknown): boolean {
  return IN_THE_WAY.has(codeOf(error));
}

/** The error that callers see; others than those of an absent database stay as they are. */
export function storeError(error: unknown): unknown {
  if (error instanceof WarrenError || !(isAway(error) || isInTheWay(error))) return error;
  return new StoreUnavailableError(messageOf(error), { cause: error });
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  const text = error instanceof Error ? error.message : '';
  return text || codeOf(error) || 'unknown failure';
}
