import type { Migration } from './migration.ts';

/**
 * What was done to dead letters on purpose, and how far it came. What a run chose, and what of it is done, are digests of 16
 * bytes each, thousands to a row: a million letters are 32 MB. They go when nothing is left to be resumed; the run stays.
 */
export const letterRuns: Migration = {
  version: 7,
  name: 'ledger of dead letters',
  up: ({ primary }) => `
    CREATE TABLE ${primary}.letter_runs (
      seq bigint GENERATED ALWAYS AS IDENTITY,
      id text COLLATE "C" PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('replay', 'discard')),
      queue text COLLATE "C" NOT NULL,
      actor text NOT NULL,
      reason text,
      selection text NOT NULL,
      settings text NOT NULL,
      -- running: also where its process died; alive_at tells.
      state text NOT NULL CHECK (state IN ('running', 'stopped', 'ended')),
      -- What it is to take is in letter_run_keys, all of it.
      is_fixed boolean NOT NULL DEFAULT false,
      starts integer NOT NULL DEFAULT 1,
      chosen integer NOT NULL DEFAULT 0,
      done integer NOT NULL DEFAULT 0,
      canary_passed boolean NOT NULL DEFAULT false,
      is_stop_asked boolean NOT NULL DEFAULT false,
      problem text,
      report text,
      begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      alive_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      ended_at timestamptz
    ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
    CREATE UNIQUE INDEX letter_runs_newest ON ${primary}.letter_runs (seq);

    CREATE TABLE ${primary}.letter_run_keys (
      run_id text COLLATE "C" NOT NULL,
      seq bigint GENERATED ALWAYS AS IDENTITY,
      is_done boolean NOT NULL,
      keys bytea NOT NULL,
      PRIMARY KEY (run_id, seq)
    );
  `,
  down: ({ primary }) => `
    DROP TABLE ${primary}.letter_run_keys, ${primary}.letter_runs;
  `,
};
