import { ConfigInvalidError } from '@warren/contracts';
import type { Logger } from '@warren/telemetry';
import { createAudit } from './audit/audit.ts';
import { createClaims } from './claims/claims.ts';
import type { Database } from './database/database.ts';
import { openEmbedded } from './database/embedded.ts';
import { openPostgres } from './database/postgres.ts';
import { createJobReader } from './jobs/job-reader.ts';
import { createLeases } from './leases/leases.ts';
import { createLetterRuns } from './letter-runs/letter-runs.ts';
import { createLimits } from './limits/limits.ts';
import { migrateTo, versionOf } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { createOutbox } from './outbox/outbox.ts';
import { createProjection } from './projection/projection.ts';
import { createRetention } from './retention/retention.ts';
import { schemaNames } from './schema-names.ts';
import type { Store } from './store.ts';
import { whenMigrated } from './when-migrated.ts';

/** Where the store is. */
export interface StoreOptions {
  /** PostgreSQL 15 or newer. Without it the store is embedded, in `dataDir`. */
  readonly databaseUrl?: string | undefined;
  /** Folder of the embedded store; made if it does not exist. */
  readonly dataDir: string;
  readonly namespace?: string | undefined;
  readonly logger: Logger;
  /** Messages that the outbox holds at most. Default 100,000. */
  readonly maxPending?: number | undefined;
  /** Connections to PostgreSQL at most. Default 10. */
  readonly maxConnections?: number | undefined;
  /** How long PostgreSQL may take for a statement. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** What a new folder of the embedded store begins with: PGlite's `dumpDataDir`. Spares a test its first seconds. */
  readonly snapshot?: Blob | undefined;
}

/**
 * Opens the store without waiting for the database: the first statement finds it, and brings its tables to this
 * version. While it is away every call rejects with `StoreUnavailableError`; later calls find it again.
 * @throws ConfigInvalidError naming `DATABASE_URL` or `namespace`
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const schemas = schemaNames(options.namespace);
  const database = whenMigrated(openDatabase(options), schemas);
  return {
    kind: database.kind,
    jobs: createJobReader(database, schemas),
    projection: createProjection(database, schemas),
    outbox: createOutbox(database, schemas, options.maxPending),
    claims: createClaims(database, schemas.primary),
    leases: createLeases(database, schemas.primary),
    limits: createLimits(database, schemas.primary),
    retention: createRetention(database, schemas),
    audit: createAudit(database, schemas.primary),
    letterRuns: createLetterRuns(database, schemas.primary),
    async ping() {
      await database.query('SELECT 1', []);
    },
    tryLock: (name) => database.tryLock(`${schemas.plain} ${name}`),
    close: () => database.close(),
  };
}

/**
 * Brings the tables to a version, up or down, and tells which one they had. Down to 0 removes them all; what the undone
 * steps' tables held is lost.
 * @throws StoreTooNewError when the tables are newer than this code
 */
export async function migrateStore(options: StoreOptions, version: number): Promise<number> {
  if (!Number.isInteger(version) || version < 0 || version > MIGRATIONS.length) {
    throw new ConfigInvalidError('version', `must be between 0 and ${MIGRATIONS.length}`);
  }
  const schemas = schemaNames(options.namespace);
  const database = openDatabase(options);
  try {
    const before = await versionOf(database, schemas);
    await migrateTo(database, schemas, version);
    return before;
  } finally {
    await database.close();
  }
}

function openDatabase(options: StoreOptions): Database {
  const { databaseUrl } = options;
  return databaseUrl === undefined
    ? openEmbedded(options)
    : openPostgres({ ...options, databaseUrl });
}
