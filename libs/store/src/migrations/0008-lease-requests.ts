import type { Migration } from './migration.ts';

/** Whoever took a long job and was not told can ask again, and be known. */
export const leaseRequests: Migration = {
  version: 8,
  name: 'requests for leases',
  up: ({ primary }) => `
    ALTER TABLE ${primary}.leases ADD COLUMN request text;
  `,
  down: ({ primary }) => `
    ALTER TABLE ${primary}.leases DROP COLUMN request;
  `,
};
