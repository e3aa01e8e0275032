import { StoreUnavailableError } from '@warren/contracts';
import { notedGateway, storeLocation } from '@warren/runtime';
import { openStore, type Store, StoreInUseError } from '@warren/store';
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
  } catch (error) {
    throw error instanceof StoreInUseError
      ? await withAdvice(error, config.WARREN_DATA_DIR)
      : error;
  } finally {
    await store.close();
  }
}

/** An embedded store is for one process; while `npm start` has it, its gateway tells. */
async function withAdvice({ folder, holder }: StoreInUseError, dataDir: string): Promise<Error> {
  const url = await notedGateway(dataDir);
  const instead =
    url === undefined
      ? 'stop it first, or ask its gateway over HTTP'
      : `ask its gateway, such as curl ${url}/v1/jobs, or stop it first`;
  return new StoreUnavailableError(
    `${folder} is in use by the process with id ${holder}: ${instead}; several processes at once need PostgreSQL (DATABASE_URL)`,
  );
}
