import type { Migration } from './migration.ts';

/**
 * One row for each key of a limit. Every start writes it: `fillfactor` leaves room for that on its own page, and nothing that
 * is written is indexed but for retention.
 */
export const limits: Migration = {
  version: 4,
  name: 'limits',
  up: ({ primary }) => `
    CREATE TABLE ${primary}.limits (
      name text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      -- ms since 1970 by the database's clock: when the burst is whole again, and up to when jobs were put off.
      full_at_ms double precision NOT NULL,
      put_off_to_ms double precision NOT NULL,
      -- What was asked last and what came of it: how a statement tells its answer.
      interval_ms double precision NOT NULL,
      burst integer NOT NULL,
      wanted integer NOT NULL,
      put_off integer NOT NULL,
      max_put_off_ms double precision NOT NULL,
      granted integer NOT NULL,
      free integer NOT NULL,
      free_in_ms double precision NOT NULL,
      put_off_in_ms double precision NOT NULL,
      asked_at_ms double precision NOT NULL,
      PRIMARY KEY (name, key)
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
  `,
  down: ({ primary }) => `
    DROP TABLE ${primary}.limits;
  `,
};
