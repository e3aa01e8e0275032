import type { Database } from './database/database.ts';
import { migrateUp } from './migrate.ts';
import type { SchemaNames } from './schema-names.ts';

/** A database whose first use brings the schema up to date; where that fails, the next use tries again. */
export function whenMigrated(database: Database, schemas: SchemaNames): Database {
  let migrated: Promise<void> | undefined;
  const ready = () => {
    migrated ??= migrateUp(database, schemas).catch((error: unknown) => {
      migrated = undefined;
      throw error;
    });
    return migrated;
  };
  return {
    kind: database.kind,
    query: async (text, values) => {
      await ready();
      return database.query(text, values);
    },
    transaction: async (work) => {
      await ready();
      return database.transaction(work);
    },
    script: async (text, sql) => {
      await ready();
      return database.script(text, sql);
    },
    tryLock: async (name) => {
      await ready();
      return database.tryLock(name);
    },
    close: () => database.close(),
  };
}
