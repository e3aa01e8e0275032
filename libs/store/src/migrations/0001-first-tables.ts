import type { SchemaNames } from '../schema-names.ts';
import type { Migration } from './migration.ts';

/**
 * Texts by which rows are compared have the collation "C", so that the database and JavaScript agree on their order.
 * `fillfactor` leaves room for new versions of a row on its own page.
 */
export const firstTables: Migration = {
  version: 1,
  name: 'first tables',
  up: (schemas) => `${projectionTables(schemas)}${primaryTables(schemas)}`,
  down: ({ primary, projection }) => `
    DROP TABLE ${projection}.logs, ${projection}.attempts, ${projection}.jobs, ${projection}.offsets;
    DROP TABLE ${primary}.outbox, ${primary}.idempotency_keys, ${primary}.claims, ${primary}.audit;
  `,
};

function projectionTables({ projection }: SchemaNames): string {
  return `
    CREATE TABLE ${projection}.jobs (
      id text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      type text COLLATE "C" NOT NULL,
      created_at_ms bigint NOT NULL,
      updated_at_ms bigint NOT NULL,
      service text COLLATE "C",
      correlation_id text COLLATE "C",
      -- The last event that tells the state, and what it is compared by; generation -1: none was seen.
      generation integer NOT NULL,
      phase smallint NOT NULL,
      attempt integer NOT NULL,
      run text COLLATE "C" NOT NULL,
      rank smallint NOT NULL,
      at_ms bigint NOT NULL,
      state text COLLATE "C" NOT NULL,
      due_at_ms bigint,
      finished_at_ms bigint,
      error text,
      reason text,
      result text,
      result_problem text,
      -- The last run, and what it is compared by; run_generation -1: none was seen.
      run_generation integer NOT NULL,
      run_attempt integer NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      run_worker text COLLATE "C",
      run_started_at_ms bigint,
      progress_at_ms bigint,
      progress_fraction double precision,
      progress_message text COLLATE "C",
      PRIMARY KEY (id, queue)
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX jobs_newest ON ${projection}.jobs (created_at_ms, id, queue);
    CREATE INDEX jobs_by_type ON ${projection}.jobs (type, created_at_ms, id, queue);
    CREATE INDEX jobs_by_state ON ${projection}.jobs (state, created_at_ms, id, queue);

    CREATE TABLE ${projection}.attempts (
      id text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      run text COLLATE "C" NOT NULL,
      generation integer NOT NULL,
      attempt integer NOT NULL,
      worker text COLLATE "C",
      started_at_ms bigint,
      -- How it ended; outcome_rank 0: not known.
      outcome_rank smallint NOT NULL,
      ended_at_ms bigint NOT NULL,
      outcome text COLLATE "C" NOT NULL,
      error text,
      -- Lines that the run wrote, whether or not they are kept.
      log_lines integer NOT NULL,
      PRIMARY KEY (id, queue, run)
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

    CREATE TABLE ${projection}.logs (
      id text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      run text COLLATE "C" NOT NULL,
      seq integer NOT NULL,
      at_ms bigint NOT NULL,
      level text NOT NULL,
      message text NOT NULL,
      fields text,
      is_cut boolean NOT NULL,
      PRIMARY KEY (id, queue, run, seq)
    );

    CREATE TABLE ${projection}.offsets (
      stream text PRIMARY KEY,
      "offset" bigint NOT NULL
    );
  `;
}

function primaryTables({ primary }: SchemaNames): string {
  return `
    CREATE TABLE ${primary}.outbox (
      id text COLLATE "C" PRIMARY KEY,
      seq bigint GENERATED ALWAYS AS IDENTITY,
      accepted_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      -- Not before; a lease puts it off.
      due_at timestamptz NOT NULL,
      leased_by text,
      leases integer NOT NULL DEFAULT 0,
      problem text,
      exchange text NOT NULL,
      routing_key text NOT NULL,
      body bytea NOT NULL,
      properties text NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
    CREATE INDEX outbox_due ON ${primary}.outbox (due_at, seq);

    CREATE TABLE ${primary}.idempotency_keys (
      key text COLLATE "C" PRIMARY KEY,
      job_id text NOT NULL,
      payload_hash text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX idempotency_keys_oldest ON ${primary}.idempotency_keys (created_at);

    CREATE TABLE ${primary}.claims (
      id text COLLATE "C" NOT NULL,
      queue text COLLATE "C" NOT NULL,
      token bigint NOT NULL,
      owner text NOT NULL,
      lease_ends_at timestamptz NOT NULL,
      is_done boolean NOT NULL DEFAULT false,
      result text,
      PRIMARY KEY (id, queue)
    ) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
    CREATE INDEX claims_oldest ON ${primary}.claims (lease_ends_at);

    CREATE TABLE ${primary}.audit (
      seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at timestamptz NOT NULL DEFAULT clock_timestamp(),
      actor text NOT NULL,
      action text NOT NULL,
      details text NOT NULL
    );
  `;
}
