import { join } from 'node:path';
import type { ConfigOf } from './setting.ts';
import type { storeSettings } from './shared-settings.ts';

/** Where the store is, as the environment says; what `openStore` takes. */
export function storeLocation(config: ConfigOf<typeof storeSettings>): {
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
} {
  return { databaseUrl: config.DATABASE_URL, dataDir: join(config.WARREN_DATA_DIR, 'store') };
}
