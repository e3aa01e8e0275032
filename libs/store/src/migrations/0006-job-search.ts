import type { Migration } from './migration.ts';

/**
 * By what jobs are searched: the beginning of a correlation id, and what failed, newest first. All are partial: a job that has
 * neither pays nothing. The beginning of an id is found by the primary key, whose collation is "C".
 */
export const jobSearch: Migration = {
  version: 6,
  name: 'job search',
  up: ({ projection }) => `
    CREATE INDEX jobs_by_correlation ON ${projection}.jobs (correlation_id)
      WHERE correlation_id IS NOT NULL;
    CREATE INDEX jobs_failed ON ${projection}.jobs (created_at_ms, id, queue)
      WHERE error IS NOT NULL;
    CREATE INDEX jobs_failed_by_type ON ${projection}.jobs (type, created_at_ms, id, queue)
      WHERE error IS NOT NULL;
  `,
  down: ({ projection }) => `
    DROP INDEX ${projection}.jobs_by_correlation, ${projection}.jobs_failed, ${projection}.jobs_failed_by_type;
  `,
};
