/** What every process of the bench is started with, whichever side it measures: the services' own flag, and the loader. */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=32', '--import', 'tsx'];

const BUFFER_POOL_BYTES = 64 * 1024;

/** As `runProcess` does for services; every process of the bench calls it, whichever side it measures. */
export function useLargerPools(): void {
  Buffer.poolSize = BUFFER_POOL_BYTES;
}
