import type { Migration } from './migration.ts';

/**
 * Which job answers for a key, so that further requests with it make none. `waits_until` is set on messages of jobs that
 * wait on purpose: until then they are nobody's business but that of who replaces them.
 */
export const uniqueKeys: Migration = {
  version: 2,
  name: 'unique keys',
  up: ({ primary }) => `
    CREATE TABLE ${primary}.unique_keys (
      kind text COLLATE "C" NOT NULL,
      type text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      job_id text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      -- The key is free after this, whatever became of the job.
      ends_at timestamptz NOT NULL,
      PRIMARY KEY (kind, type, key)
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX unique_keys_ended ON ${primary}.unique_keys (ends_at);
    CREATE INDEX unique_keys_by_job ON ${primary}.unique_keys (job_id);
    ALTER TABLE ${primary}.outbox ADD COLUMN waits_until timestamptz;
  `,
  down: ({ primary }) => `
    ALTER TABLE ${primary}.outbox DROP COLUMN waits_until;
    DROP TABLE ${primary}.unique_keys;
  `,
};
