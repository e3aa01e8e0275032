import { storeLocation } from '@warren/runtime';
import { openStore, type Store } from '@warren/store';
import { createLogger } from '@warren/telemetry';
import type { Admin } from './open-session.ts';

/** Opens the store, does something, and closes it whatever happens. @throws StoreUnavailableError */
export async function withStore<T>(
  { config, shell }: Admin,
  action: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore({
    ...storeLocation(config),
    namespace: config.WARREN_NAMESPACE,
    logger: createLogger({ service: 'warren', level: 'warn', destination: { write: shell.err } }),
  });
  try {
    return await action(store);
  } finally {
    await store.close();
  }
}
