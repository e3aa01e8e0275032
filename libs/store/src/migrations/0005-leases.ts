import type { Migration } from './migration.ts';

/** Jobs that run for longer than the broker would leave their deliveries out. */
export const leases: Migration = {
  version: 5,
  name: 'leases of long jobs',
  up: ({ primary }) => `
    -- Of all jobs together: a token is never given twice, also where the row was deleted in between.
    CREATE SEQUENCE ${primary}.lease_tokens;

    CREATE TABLE ${primary}.leases (
      id text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      token bigint NOT NULL,
      -- held: a run has the job. moving: its run is over, and the message on its way to the broker. away: the broker has it.
      state text NOT NULL CHECK (state IN ('held', 'moving', 'away')),
      owner text NOT NULL,
      lease_ends_at timestamptz NOT NULL,
      taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      generation integer NOT NULL,
      attempt integer NOT NULL,
      -- Runs of this attempt that ended with their process.
      crashes integer NOT NULL DEFAULT 0,
      -- With which the message is published again; empty while it is away.
      exchange text NOT NULL,
      routing_key text COLLATE "C" NOT NULL,
      body bytea NOT NULL,
      properties text NOT NULL,
      checkpoint text,
      checkpoint_at timestamptz,
      PRIMARY KEY (id, queue)
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX leases_ends ON ${primary}.leases (queue, routing_key, lease_ends_at) WHERE state <> 'away';
    CREATE INDEX leases_away ON ${primary}.leases (lease_ends_at) WHERE state = 'away';
  `,
  down: ({ primary }) => `
    DROP TABLE ${primary}.leases;
    DROP SEQUENCE ${primary}.lease_tokens;
  `,
};
