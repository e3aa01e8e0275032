import { type ErrorCode, StoreUnavailableError, WarrenError } from '@warren/contracts';

const AWAY: readonly ErrorCode[] = ['STORE_UNAVAILABLE', 'STORE_TOO_NEW'];

/** Whether it was the store that failed, and not what was asked of it. */
export function isStoreAway(error: unknown): error is WarrenError {
  return error instanceof WarrenError && AWAY.includes(error.code);
}

/**
 * What the store writes, as far as it does so in time; what it writes later is nobody's.
 * @throws StoreUnavailableError after this time
 */
export async function inTime<T>(written: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new StoreUnavailableError(`no answer for ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  // Late failures are nobody's.
  written.catch(() => {});
  try {
    return await Promise.race([written, late]);
  } finally {
    clearTimeout(timer);
  }
}
